"""NatureGym turns published papers into benchmark tasks for coding agents.

This package is the domain: it knows papers, tasks and trials, and nothing of Prefect or of
the database. ``flows`` schedules it, ``db`` indexes what it records, ``checks`` judges its
packages, and ``nature_gym.cli`` puts commands on top of all of them.
"""

__version__ = "0.1.0"
