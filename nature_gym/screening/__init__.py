"""Screening: which papers hold a task that a program can grade on public data.

Rules in three levels are put to a paper in order, and the first rejection ends it
(:mod:`~nature_gym.screening.cascade`). Whoever takes a judgement is a decider
(:mod:`~nature_gym.screening.deciders`); whatever was judged is a decision with its evidence
(:mod:`~nature_gym.screening.decisions`).
"""
