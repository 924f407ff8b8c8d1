"""Programs out of parts: plans put together field by field, and fields taken out of a program that somebody wrote."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from crawloop.extract.plan import FieldPlan, Plan, Rows
from crawloop.model.candidate import Candidate


def compose(plans: Iterable[tuple[Plan, frozenset[str]]]) -> Plan | None:
    """One plan that takes from each given plan the named fields, a field from the first that offers it.

    None where there is nothing to take, or where the plans read different rows: their records cannot be told together.
    """
    fields: dict[str, FieldPlan] = {}
    rows: list[Rows | None] = []
    for plan, names in plans:
        taken = {name: one for name, one in plan.fields.items() if name in names and name not in fields}
        if taken:
            fields |= taken
            rows.append(plan.rows)
    if not fields or any(one != rows[0] for one in rows):
        return None
    return Plan(fields, rows[0])


def composed(candidates: Iterable[tuple[Candidate, frozenset[str]]], family: str, origin: str) -> Candidate | None:
    """A candidate of the named fields of others; None where a part has no plan or the parts do not fit together."""
    parts = list(candidates)
    plans = [(Plan.loads(one.plan), names) for one, names in parts if one.plan is not None]
    plan = compose(plans) if len(plans) == len(parts) else None
    if plan is None:
        return None
    notes: dict[str, tuple[str, ...]] = {}
    for one, names in parts:  # why a field is in no part is told by the first that tried it
        notes = {name: said for name, said in one.notes.items() if name in names or name not in plan.fields} | notes
    return from_plan(plan, family, origin, notes)


def from_plan(plan: Plan, family: str, origin: str, notes: Mapping[str, tuple[str, ...]]) -> Candidate:
    """A plan as a candidate."""
    return Candidate(
        source=plan.source(family, origin),
        origin=origin,
        fields=frozenset(plan.fields),
        plan=plan.dumps(),
        notes=dict(notes),
    )


def without(source: str, fields: Iterable[str]) -> str:
    """A program without some fields of its records, whoever wrote it.

    Keys of that name are taken out of every dict that `extract` builds, and assignments to them go. Where a record
    could still get the field in another way, the program is wrapped and its records lose the key at the end.
    Raises SyntaxError where the source is no Python.
    """
    names = frozenset(fields)
    tree = ast.parse(source)
    if not names:
        return source
    if not _mentions(tree, names):
        return _wrapped(tree, names) if _builds_keys(tree) else source
    thinned = ast.fix_missing_locations(_Thin(names).visit(tree))
    if _mentions(thinned, names) or _builds_keys(thinned):
        return _wrapped(ast.parse(source), names)
    return ast.unparse(thinned) + "\n"


class _Thin(ast.NodeTransformer):
    """Takes keys out of dict displays and drops assignments to them."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        self.generic_visit(node)
        kept = [(key, value) for key, value in zip(node.keys, node.values, strict=True) if not self._is_one(key)]
        return ast.Dict([key for key, _ in kept], [value for _, value in kept])

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        dropped = all(isinstance(one, ast.Subscript) and self._is_one(one.slice) for one in node.targets)
        return ast.Pass() if dropped else node

    def _is_one(self, key: ast.AST | None) -> bool:
        return isinstance(key, ast.Constant) and key.value in self._names


def _mentions(tree: ast.AST, names: frozenset[str]) -> bool:
    """Whether a field's name still stands in the program as a text or a keyword."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names:
            return True
        if isinstance(node, ast.keyword) and node.arg in names:
            return True
    return False


def _builds_keys(tree: ast.AST) -> bool:
    """Whether the program makes keys that do not stand in it as texts: then they cannot be found by looking."""
    for node in ast.walk(tree):
        if isinstance(node, ast.DictComp):
            return True
        if isinstance(node, ast.Dict) and any(not isinstance(key, ast.Constant) for key in node.keys):
            return True
        if isinstance(node, ast.Assign) and any(_is_computed(one) for one in node.targets):
            return True
    return False


def _is_computed(target: ast.AST) -> bool:
    return isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Constant)


def _wrapped(tree: ast.Module, names: frozenset[str]) -> str:
    """The program under another name, and an `extract` that leaves the fields out of its records."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "extract":
            node.name = "extract_all"
            given = ", ".join(one.arg for one in node.args.args)
            break
    else:
        return ast.unparse(tree) + "\n"
    dropped = ", ".join(repr(one) for one in sorted(names)) + ","
    return (
        f"{ast.unparse(tree)}\n\n\n"
        f"def extract({given}):\n"
        f"    dropped = ({dropped})\n"
        f"    records = extract_all({given})\n"
        "    return [{key: value for key, value in one.items() if key not in dropped} for one in records]\n"
    )
