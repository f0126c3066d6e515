"""The 36 checks of a task package, ours or anyone's in the published format.

A check is a function that takes a :class:`~checks.package.CheckedPackage` and yields what it finds; its docstring is
its explanation. Files are read and parsed once, and shared by all checks. Nothing of a package is imported or run.
"""
