"""The static check of a generated program, and its compilation. Runs in the worker, never in the caller."""

from __future__ import annotations

import ast
import marshal
from collections.abc import Iterable
from dataclasses import dataclass
from types import CodeType

from crawloop.sandbox.access import PROGRAM
from crawloop.sandbox.policy import Policy, Refused

FILENAME = f"<{PROGRAM}>"


@dataclass(frozen=True, slots=True)
class Program:
    """An admitted program. `parameters` of its `extract`: (name, has a default); None where no `def` makes it."""

    code: CodeType
    parameters: tuple[tuple[str, bool], ...] | None

    def packed(self) -> bytes:
        """As bytes, for a later job of the same program."""
        return marshal.dumps((self.code, self.parameters))


def unpacked(packed: bytes) -> Program:
    """The program of `Program.packed`. For a job alone: bytes that are something else may end the process."""
    code, parameters = marshal.loads(packed)
    return Program(code, parameters)


def admit(source: str) -> Program:
    """Checks and compiles. Raises Refused with the first rule that the program breaks."""
    try:
        tree = ast.parse(source, FILENAME)
        tree.body = [statement for node in tree.body for statement in _that_run(node)]
        policy = Policy()
        policy.visit(tree)
        policy.conclude()
        return Program(compile(tree, FILENAME, "exec", dont_inherit=True), _parameters(tree))
    except SyntaxError as problem:
        raise Refused(f"syntax: {problem.msg}", problem.lineno) from None
    except (RecursionError, MemoryError):
        raise Refused("the source is nested too deeply", None) from None
    except ValueError as problem:
        raise Refused(str(problem), None) from None


def _parameters(tree: ast.Module) -> tuple[tuple[str, bool], ...] | None:
    for node in reversed(tree.body):
        if isinstance(node, ast.FunctionDef) and node.name == "extract":
            names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
            given = len(names) - len(node.args.defaults)
            return tuple((name, place >= given) for place, name in enumerate(names))
    return None


def _that_run(node: ast.stmt) -> Iterable[ast.stmt]:
    """Leaves out `if __name__ == "__main__":`, which never runs here and often does what a program must not."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'":
        return node.orelse
    return (node,)
