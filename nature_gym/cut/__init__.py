"""Cutting a task at the inputs of a paper's core algorithm, from its code and files, without running anything.

For every file of a folder the question is: would any method for this task need it, or only this one? The answer
comes from what the programs read and write, from what they are for, and, where those are silent, from names.
:func:`nature_gym.cut.folder.cut_folder` goes the whole way.

Nothing here executes, imports or unpickles what it finds.
"""
