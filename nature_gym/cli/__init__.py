"""The ``naturegym`` command: one module a noun, each light to import.

A module here imports Typer and nothing heavier at the top; what a command needs is imported inside it, so
that ``naturegym --help`` answers at once.
"""
