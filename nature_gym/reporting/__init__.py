"""The report: what the records of a home tell, as a static site that needs no server.

The idea: pages hold what everybody sees first, already drawn; what is large (papers, trials) lies in chunks beside
them, small JavaScript files that each hand over one JSON value, so that they load from ``file://`` too.

Threat: titles, quotations, trajectories and findings are anyone's. Invariant: text goes through
:func:`nature_gym.reporting.texts.plain`, reaches pages through templates that escape, and scripts as JSON that scripts
put on the page as text alone; a page's policy lets it load nothing but its own files.
"""
