"""Python source as a tree, from any thread.

The one idea: CPython counts how deep it is in building a tree once for the whole interpreter, so threads that parse at
the same time upset each other's counts, and one of them gets a ``SystemError`` ("AST constructor recursion depth
mismatch", gh-106905). So ours take turns, and who was upset by somebody else's thread tries again.
"""

from __future__ import annotations

import ast
import threading
from typing import Literal, cast, overload

TRIES = 20

_turn = threading.Lock()


@overload
def tree_of(source: str | bytes, mode: Literal["exec"] = "exec") -> ast.Module: ...
@overload
def tree_of(source: str | bytes, mode: Literal["eval"]) -> ast.Expression: ...
def tree_of(source: str | bytes, mode: Literal["exec", "eval"] = "exec") -> ast.Module | ast.Expression:
    """What ``ast.parse`` gives. Raises what it raises: SyntaxError, ValueError, RecursionError, MemoryError."""
    for _ in range(TRIES):
        try:
            with _turn:
                return cast("ast.Module | ast.Expression", ast.parse(source, mode=mode))
        except SystemError as error:
            if "recursion depth" not in str(error):
                raise
            last = error
    raise last
