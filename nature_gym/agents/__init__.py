"""Who is measured: adapters for agents' programs, three built-in solvers, and one form of what they did.

interface    what an adapter has to give
events       one event format for every trajectory
"""
