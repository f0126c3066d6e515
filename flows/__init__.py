"""Prefect flows, one module a stage, thin over ``nature_gym``.

environment     what Prefect shall do here, as variables: offline, quiet, inside our home
server          a local Prefect server, started when needed, shared, and gone with its last user
server_process  that server's own process
launch          what a command calls to run a flow; imports Prefect only then
session         a run from inside a flow: its record, its counts, its progress, how it ended
mapping         a stage over many papers: what is stale, in chunks, by task runs
sweep           runs that died, told so in our records and in Prefect
artifacts       what the Prefect UI shows besides runs
stage_flow      the flow of a stage that needs nothing but its papers
"""
