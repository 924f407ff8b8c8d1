"""The matches of a selector in an element: found for all elements of a page at once where many ask for them.

A selector matches an element by where that stands on the page, whoever asks; so the matches in the whole page, each
told to all that is around it, answer for every row.
"""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from crawloop.extract.dom import nodes

_MANY = 16  # askings after which a selector is looked up in the whole page
_WORTH = 16  # matches in the whole page that cost as much as one asking
_WORTH_A_LOOK = 64  # first matches, each looked at, that cost as much as asking whether the page strikes anything out
_STRUCK = 's, del, strike, template, [style*="line-through"]'
_HIDDEN = '[hidden], [style*="display" i], [style*="visibility" i]'

_Firsts = dict[int, LexborNode]


class Firsts:
    """Of one page, which nobody changes. Keeps for each selector what it knows of the elements, by their mem_id."""

    __slots__ = (
        "_asked",
        "_known",
        "_looked_at",
        "_made",
        "_may_hide",
        "_may_strike",
        "_not_hidden",
        "_root",
        "_when",
        "_whole",
    )

    def __init__(self, root: LexborNode) -> None:
        self._root = root
        self._asked: dict[str, int] = {}
        self._when: dict[str, int] = {}
        self._known: dict[str, tuple[_Firsts, _Firsts, set[int]]] = {}
        self._whole: dict[str, list[LexborNode]] = {}
        self._may_strike: bool | None = None
        self._may_hide: bool | None = None
        self._looked_at = 0
        self._made = 0
        self._not_hidden = {root.mem_id}

    def of(self, node: LexborNode, css: str) -> LexborNode | None:
        """The first match in `node` that is not struck out, else the first one. Raises ValueError."""
        known = self._known.get(css)
        if known is None:
            self._asked_for(css)
            return self._first_said(node, css)
        said, all_firsts, _ = known
        place = node.mem_id
        if (found := said.get(place)) is not None:
            return found
        return nodes.first_said(node, css) if place in all_firsts else None

    def _first_said(self, node: LexborNode, css: str) -> LexborNode | None:
        self._made += 1
        if self._made > _WORTH_A_LOOK and not self._strikes():
            return nodes.select_first(node, css)
        return nodes.first_said(node, css)

    def _strikes(self) -> bool:
        """Whether anything on the page may be struck out; found out once."""
        if self._may_strike is None:
            self._may_strike = nodes.select_first(self._root, _STRUCK) is not None
        return self._may_strike

    def all(self, node: LexborNode, css: str) -> list[LexborNode]:
        """Every match in `node`, in document order; those of the whole page are kept. Raises ValueError."""
        if node.mem_id == self._root.mem_id:
            if css not in self._whole:
                self._whole[css] = nodes.select(node, css)
            return self._whole[css]
        known = self._known.get(css)
        if known is None:
            self._asked_for(css)
            return nodes.select(node, css)
        _, firsts, several = known
        place = node.mem_id
        if place in several:
            return nodes.select(node, css)
        found = firsts.get(place)
        return [] if found is None else [found]

    def shown(self, matches: list[LexborNode], within: LexborNode) -> list[LexborNode]:
        """Those of the matches that neither themselves nor an element around them in `within` hides."""
        if self._may_hide is False:
            return matches
        self._looked_at += len(matches)
        if self._may_hide is None and self._looked_at > _MANY:
            self._may_hide = nodes.select_first(self._root, _HIDDEN) is not None
        if within.mem_id != self._root.mem_id:
            return [one for one in matches if not nodes.is_hidden(one, within)]
        return [one for one in matches if not self._is_hidden(one)]

    def _is_hidden(self, node: LexborNode) -> bool:
        """The same as `is_hidden` in the whole page, where matches have most of what is around them in common."""
        path: list[int] = []
        at: LexborNode | None = node
        while at is not None and (place := at.mem_id) not in self._not_hidden:
            if nodes.hides_itself(at):
                return True
            path.append(place)
            at = at.parent
        self._not_hidden.update(path)
        return False

    def _asked_for(self, css: str) -> None:
        """One more asking for a selector of which nothing is known yet."""
        asked = self._asked[css] = self._asked.get(css, 0) + 1
        if asked >= self._when.get(css, _MANY):
            self._look_up(css, asked)

    def _look_up(self, css: str, asked: int) -> None:
        matches = nodes.select(self._root, css)
        if len(matches) > asked * _WORTH:
            self._when[css] = len(matches) // _WORTH + 1
            return
        firsts, several = _by_surroundings(matches)
        said = firsts
        if self._strikes():
            said, _ = _by_surroundings([one for one in matches if not nodes.is_struck(one, self._root)])
        self._known[css] = said, firsts, several


def _by_surroundings(matches: list[LexborNode]) -> tuple[_Firsts, set[int]]:
    """For every element around a match the first of them, in document order; and which elements are around several."""
    firsts: _Firsts = {}
    several: set[int] = set()
    for one in matches:
        above = one.parent
        while above is not None and (place := above.mem_id) not in firsts:
            firsts[place] = one
            above = above.parent
        while above is not None and place not in several:
            several.add(place)
            above = above.parent
            place = above.mem_id if above is not None else 0
    return firsts, several
