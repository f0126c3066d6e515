"""Packages: one reviewed specification a task (``task.yaml``), and what is rendered from it."""
