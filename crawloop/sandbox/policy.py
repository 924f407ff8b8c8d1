"""Which Python a generated program may be written in.

RestrictedPython refuses every construct that it does not know. On top of its rules, honest Python is let through
(annotations, `d[k] += 1`, `nonlocal`, names and attributes with one underscore, `match`, classes, print); reading an
attribute that may be more than harmless becomes a call of a guard whose name no program can write.
"""

from __future__ import annotations

import ast
from typing import Any

from RestrictedPython.transformer import INSPECT_ATTRIBUTES, RestrictingNodeTransformer, copy_locations

from crawloop.sandbox import names
from crawloop.sandbox.access import NEVER_RAW, RAW
from crawloop.sandbox.namespace import FACADES, READ, WRITE

_READABLE = frozenset(("__name__", "__class__", "__dict__"))
_STORABLE = frozenset(("__slots__", "__all__", "__version__", "__author__", "__hash__"))
_OUT_OF_REACH = frozenset(names.OUT_OF_REACH)
_MAGIC = frozenset(names.MAGIC)
_IN_PYTHON = {"TryStar": "except*", "AsyncFunctionDef": "async def", "Await": "await", "AsyncFor": "async for"}


class Refused(Exception):
    """The program is not admitted: `rule` and `line`."""

    def __init__(self, rule: str, line: int | None) -> None:
        self.line = line
        super().__init__(f"refused: {rule}" + (f" line {line}" if line else ""))


def _dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


class Policy(RestrictingNodeTransformer):
    """Rewrites a module in place; collects the rules it breaks, with their lines."""

    def __init__(self) -> None:
        super().__init__()
        self._broken: list[tuple[int, str]] = []
        self._stored: set[str] = set()
        self._loaded: dict[str, int] = {}
        self._classes: list[str | None] = []

    def conclude(self) -> None:
        """Raises Refused for the first broken rule."""
        for name in self._loaded.keys() & _OUT_OF_REACH - self._stored:
            self._broken.append((self._loaded[name], f"the name {name!r}"))
        if "extract" not in self._stored:
            self._broken.append((1, "there is no function extract(page)"))
        if self._broken:
            line, rule = min(self._broken)
            raise Refused(rule, line)

    def error(self, node: ast.AST, info: str) -> None:
        self._broken.append((getattr(node, "lineno", 0), info))

    def not_allowed(self, node: ast.AST) -> None:
        kind = type(node).__name__
        self.error(node, f"{_IN_PYTHON.get(kind, kind)} is not available here")

    def check_name(self, node: ast.AST, name: str | None, allow_magic_methods: bool = False) -> None:
        if name is None:
            return
        self._stored.add(name)
        if not _dunder(name) or name in _STORABLE:
            return
        if not (allow_magic_methods and name in _MAGIC and self._classes and self._classes[-1]):
            self.error(node, f"the name {name!r}")

    def visit_Name(self, node: ast.Name) -> Any:
        if not isinstance(node.ctx, ast.Load):
            self.check_name(node, node.id)
        elif _dunder(node.id) and node.id != "__name__":
            self.error(node, f"the name {node.id!r}")
        else:
            self._loaded.setdefault(node.id, node.lineno)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        name = self._mangled(node.attr)
        loading = isinstance(node.ctx, ast.Load)
        if _dunder(name) and not (loading and (name in _READABLE or name in _MAGIC)):
            self.error(node, f"the attribute {name!r}")
        if name in INSPECT_ATTRIBUTES:
            self.error(node, f"the attribute {name!r}")
        node = self.node_contents_visit(node)
        node.attr = name
        if loading:
            return node if name in RAW else _call(READ, node, [node.value, ast.Constant(name)])
        node.value = _call(WRITE, node.value, [node.value, ast.Constant(name)])
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        if isinstance(node.target, ast.Attribute) and node.target.attr in ("format", "format_map"):
            self.error(node, f"the attribute {node.target.attr!r}")
        return self._contents(node)

    def visit_Import(self, node: ast.Import) -> Any:
        for alias in node.names:
            self._check_module(node, alias.name)
            self.check_name(node, alias.asname or alias.name.partition(".")[0])
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        module = node.module or ""
        if node.level:
            self.error(node, "a relative import")
        elif self._check_module(node, module):
            for alias in node.names:
                if alias.name not in FACADES[module]:
                    self.error(node, f"import of {alias.name!r} from {module!r}")
                self.check_name(node, alias.asname or alias.name)
        return node

    def _check_module(self, node: ast.AST, name: str) -> bool:
        if name in FACADES:
            return True
        self.error(node, f"import of {name!r} (available: {', '.join(sorted(FACADES))})")
        return False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self.check_name(node, node.name, allow_magic_methods=True)
        self.check_function_argument_names(node)
        node.returns = None
        decorators = [self.visit(one) for one in node.decorator_list]
        self._classes.append(None)
        node.decorator_list = []
        node = self.node_contents_visit(node)
        self._classes.pop()
        node.decorator_list = decorators
        return node

    def visit_arg(self, node: ast.arg) -> Any:
        node.annotation = None
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        self.check_name(node, node.name)
        if any(keyword.arg != "total" for keyword in node.keywords):
            self.error(node, "a metaclass or keyword of a class")
        self._classes.append(node.name)
        node = self.node_contents_visit(node)
        self._classes.pop()
        return node

    def visit_MatchClass(self, node: ast.MatchClass) -> Any:
        for name in node.kwd_attrs:
            self._check_raw(node, name)
        node.cls = self._dotted(node.cls)
        node.patterns = [self.visit(one) for one in (*node.patterns, *node.kwd_patterns)][: len(node.patterns)]
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> Any:
        node.value = self._dotted(node.value)
        return node

    def _dotted(self, node: ast.expr) -> ast.expr:
        """A pattern's `a.b.c` must stay as it is: no guard stands between, so each step is checked here."""
        step = node
        while isinstance(step, ast.Attribute):
            self._check_raw(step, step.attr)
            step = step.value
        self.visit(step)
        return node

    def _check_raw(self, node: ast.AST, name: str) -> None:
        if name[0] == "_" or name in NEVER_RAW:
            self.error(node, f"the attribute {name!r}")

    def _check_capture(self, node: Any) -> Any:
        self.check_name(node, node.rest if isinstance(node, ast.MatchMapping) else node.name)
        return self._contents(node)

    def _check_declared(self, node: Any) -> Any:
        for name in node.names:
            self.check_name(node, name)
        return self._contents(node)

    def _contents(self, node: Any) -> Any:
        return self.node_contents_visit(node)

    def _mangled(self, name: str) -> str:
        owner = next((one for one in reversed(self._classes) if one), None)
        if owner and name.startswith("__") and not name.endswith("__"):
            return f"_{owner.lstrip('_')}{name}"
        return name

    visit_MatchAs = visit_MatchStar = visit_MatchMapping = _check_capture
    visit_Global = visit_Nonlocal = _check_declared
    visit_Match = visit_match_case = visit_MatchSingleton = visit_MatchSequence = _contents
    visit_MatchOr = visit_AnnAssign = visit_Assign = visit_For = visit_With = visit_comprehension = _contents
    visit_Call = visit_Subscript = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _contents
    visit_Module = visit_Pass = _contents


def _call(guard: str, place: Any, arguments: list[ast.expr]) -> ast.Call:
    call = ast.Call(func=ast.Name(guard, ast.Load()), args=arguments, keywords=[])
    copy_locations(call, place)
    return call
