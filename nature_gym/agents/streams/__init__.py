"""Readers of what agents' programs print, each giving events; they read hostile text, in bounds.

lines         lines of a file, bounded, and JSON objects in them
plain         text as it is
claude_code   ``claude -p --output-format stream-json --verbose``
codex         ``codex exec --json``
gemini        ``gemini -p --output-format stream-json``
"""
