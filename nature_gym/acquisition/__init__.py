"""Code and data of a paper, taken from where they lie: repositories, downloads, archives, and what is in them.

Everything that comes in is hostile until it was looked at: nothing of it is run, imported or unpickled, and whatever
it costs in time, memory and disk has a limit.
"""
