"""What becomes of what a program reads: whether it turns out to be a trained model.

The one idea: names tell little of a file with weights, but a program that hands what it read to ``load_state_dict``, or
calls ``predict`` on it, tells what it was. Names are followed backwards within one function.
"""

from __future__ import annotations

import ast

from nature_gym.cut.python_units import Scope

_FILLING = {"load_state_dict", "set_weights", "load_weights", "restore", "restore_checkpoint"}
_ASKED = {
    "eval",
    "predict",
    "predict_proba",
    "decision_function",
    "load_state_dict",
    "kneighbors",
    "generate",
    "encode",
}
"""Methods of models; what is called on a table of that name (``frame.eval``) has arguments of its own."""
_LOADERS = {"load", "load_model", "loads", "read_pickle", "load_from_checkpoint", "from_pretrained"}
MAX_STEPS = 3


def model_loads(scope: Scope) -> frozenset[int]:
    """The identities (``id``) of the calls in a function whose value, or whose open file, becomes a model."""
    names: set[str] = set()
    found: set[int] = set()
    for call in scope.calls:
        if not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr in _FILLING:
            for argument in (*call.args, *(each.value for each in call.keywords)):
                names |= _names(argument)
                found |= {id(each) for each in ast.walk(argument) if isinstance(each, ast.Call)}
        elif call.func.attr in _ASKED and isinstance(call.func.value, ast.Name):
            names.add(call.func.value.id)
    pending = set(names)
    for _ in range(MAX_STEPS):
        earlier: set[str] = set()
        for name in pending:
            for binding in scope.bindings.get(name, ())[:20]:
                if not _loads(binding.value, opened=name not in names):
                    continue
                found |= {id(each) for each in ast.walk(binding.value) if isinstance(each, ast.Call)}
                earlier |= _names(binding.value)
        pending = earlier - names
    return frozenset(found)


def _names(node: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _loads(value: ast.expr, *, opened: bool) -> bool:
    """Whether an expression loads an object from a file (or, one step earlier, opens the file)."""
    for each in ast.walk(value):
        if isinstance(each, ast.Call):
            name = each.func.attr if isinstance(each.func, ast.Attribute) else getattr(each.func, "id", "")
            if name in _LOADERS or (opened and name == "open"):
                return True
    return False
