"""Scoring answers that nobody trusts: one task, one budget, one evaluator in a sandbox of its own.

trial        what is measured: a package's instances and anchors, a budget, folders
clock        how much of the budget is left
state        what must outlive the service: attempts, timers, tokens (kept by ``db.trials``)
tokens       who may submit
intake       an answer copied out of a folder that an agent writes to
sources      the workspace's source at an attempt, each text kept once
host         runs inside the evaluator's sandbox: loads once, forks for each answer
evaluator    starts that sandbox and asks it
improvement  from an evaluator's numbers to gaps
desk         one trial's submissions, from a token to an answer
events       what an attempt leaves in the trial's folder
service      the desk over HTTP
refusals     what was asked and refused, written down
"""
