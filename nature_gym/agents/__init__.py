"""Who is measured: adapters for agents' programs, three built-in solvers, and one form of what they did.

interface    what an adapter has to give
registry     agents by name, also those of other packages
builtin      constant, tabular, and any program
prompt       what an agent is told
client       the service from inside a box, in one file
shipping     modules of ours as plain files of a workspace
solvers      programs that run in a box
streams      readers of what programs print
events       one event format for every trajectory
intake       secrets, escapes and length of what an agent printed
"""
