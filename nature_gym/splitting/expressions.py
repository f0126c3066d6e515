"""SQL expressions over a row's columns: one expression, no subquery, only functions that look at the row.

They come from ``task.yaml``, and so from people and deciders that read hostile papers. DuckDB parses them; what is
allowed is decided on its syntax tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import orjson

from nature_gym.splitting.faults import SplitError

FUNCTIONS = frozenset({
    "+", "-", "*", "/", "//", "%", "**", "^", "||", "~~", "!~~", "~~*", "!~~*", "~", "!~", "~~~", "@", "&", "|", "<<",
    ">>",
    "abs", "ceil", "ceiling", "floor", "round", "trunc", "sqrt", "ln", "log", "log10", "log2", "exp", "pow", "power",
    "sign",
    "mod", "fmod", "greatest", "least", "isnan", "isinf", "isfinite", "coalesce", "ifnull", "nullif",
    "lower", "upper", "trim", "ltrim", "rtrim", "length", "len", "strlen", "substr", "substring", "left", "right",
    "starts_with", "ends_with", "prefix", "suffix", "contains", "instr", "strpos", "position", "replace",
    "concat",
    "split_part", "string_split", "regexp_matches", "regexp_full_match", "regexp_extract", "regexp_replace", "reverse",
    "list_value", "list_contains",
    "list_extract", "array_extract", "struct_extract", "row", "like_escape",
    "not_like_escape", "ilike_escape", "not_ilike_escape",
    "year", "month", "day", "hour", "minute", "second", "date_part", "datepart", "date_trunc", "strptime",
    "try_strptime",
    "epoch", "make_date", "dayofweek", "dayofyear", "week", "quarter",
})  # fmt: skip
"""What an expression may call."""

_ALLOWED = frozenset({
    "COMPARISON", "CONJUNCTION", "COLUMN_REF", "CONSTANT", "FUNCTION", "OPERATOR", "CAST", "CASE", "BETWEEN", "COLLATE",
})  # fmt: skip


def check_expression(expression: str, columns: list[str]) -> str:
    """``expression``, where it is one that may be evaluated over ``columns``.

    Raises SplitError that says what is wrong with it.
    """
    told = orjson.loads(
        duckdb.execute("SELECT json_serialize_sql(?)", [f"SELECT ({expression}\n)"]).fetchall()[0][0]  # parsed, not run
    )
    if told.get("error"):
        raise SplitError(f"{expression!r} is no expression: {told.get('error_message', '')}", hint=_HINT)
    statements = told["statements"]
    node = statements[0]["node"] if len(statements) == 1 else {}
    is_bare = (
        node.get("type") == "SELECT_NODE"
        and len(node.get("select_list", ())) == 1
        and node.get("from_table", {}).get("type") == "EMPTY"
        and not node.get("modifiers")
        and not node.get("where_clause")
        and not (node.get("cte_map") or {}).get("map")
    )
    if not is_bare:
        raise SplitError(f"{expression!r} is more than one expression", hint=_HINT)
    known = {column.casefold() for column in columns}
    for part in _parts(node["select_list"][0]):
        kind = part["class"]
        if kind not in _ALLOWED:
            raise SplitError(f"{expression!r} holds a {kind.lower()}, which may not be", hint=_HINT)
        if kind == "FUNCTION" and part["function_name"].casefold() not in FUNCTIONS:
            raise SplitError(f"{expression!r} calls {part['function_name']}, which may not be", hint=_HINT)
        if kind == "COLUMN_REF" and part["column_names"][-1].casefold() not in known:
            shown = ", ".join(columns[:12]) + (", ..." if len(columns) > 12 else "")
            raise SplitError(
                f"{expression!r} names {part['column_names'][-1]!r}, which is no column", hint=f"Columns: {shown}."
            )
    return expression


_HINT = "Write one expression over the columns, for example: age > 18 AND split = 'train'."


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every node of an expression's syntax tree."""
    if isinstance(value, dict):
        if "class" in value and "type" in value:
            yield value
        for inner in value.values():
            yield from _parts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _parts(inner)
