"""Prefect flows, one module a stage, thin over ``nature_gym``."""
