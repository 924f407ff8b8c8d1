"""Content that a page holds as escaped markup in a text area, from which its script shows it.

<textarea id="post">&lt;table&gt;&lt;tr&gt;…</textarea>   →   <div id="post"><table><tr>…</div>

Editors on the page do so. A reader sees the table and no text area. What holds a script is an example of code, or
worse: what it says for machines is not the page's word.
"""

from __future__ import annotations

import re

_START = re.compile(r"<textarea\b([^<>]*)>", re.IGNORECASE)
_END = re.compile(r"</textarea\s*>", re.IGNORECASE)
_CLOSING = re.compile(r"</(?:a|div|h[1-6]|li|p|span|t[dhr])\s*>", re.IGNORECASE)
_LEAST = 8  # elements: somebody who writes a line or two of markup as an example writes fewer
_SIGNS = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#34;", '"'), ("&#39;", "'"), ("&amp;", "&"))


def unfolded(html: str) -> str:
    """The page with such content in its place; a page without any as it is."""
    parts: list[str] = []
    at = done = 0
    while start := _START.search(html, at):
        end = _END.search(html, start.end())
        if end is None:
            break
        at = end.end()
        content = html[start.end() : end.start()]
        if "&lt;" in content and (shown := _shown(content)):
            parts += (html[done : start.start()], f"<div{start[1]}>", shown, "</div>")
            done = at
    return "".join((*parts, html[done:])) if parts else html


def _shown(content: str) -> str:
    """What the text says as markup; "" where it is not markup from start to end."""
    for said, sign in _SIGNS:
        content = content.replace(said, sign)
    bare = content.strip()
    is_markup = bare.startswith("<") and bare.endswith(">") and len(_CLOSING.findall(bare)) >= _LEAST
    return content if is_markup and "<script" not in bare.lower() else ""
