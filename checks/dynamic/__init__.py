"""Family 4 at work: a baseline solver and the evaluator, run in a sandbox, and what came of it.

The idea: whatever reads the package's data or runs its code does so inside a box. What runs there of ours lies in
:mod:`checks.dynamic.inside`; it is mounted as files, and what it says is read as anyone's.
"""
