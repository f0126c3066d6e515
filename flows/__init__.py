"""Prefect flows, one module a stage, thin over ``nature_gym``.

Each module's first line says what it is for. To begin with: ``launch`` is what a command calls to run a flow,
``session`` a run from inside a flow, ``mapping`` a stage over many papers, ``stage_flow`` the flow of a stage that
needs nothing but its papers.
"""
