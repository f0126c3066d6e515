"""A solver that solves nothing: answers of the form that a README asks for, made from its section 5 and the data alone.

The idea: what is asked for is read from the README (:mod:`~nature_gym.baseline.asked`), and a program that stands by
itself (:mod:`~nature_gym.baseline.answering`, with the form filled in by :mod:`~nature_gym.baseline.solver`) looks at
the data where it runs, in a sandbox. It gives the mean or the commonest value (``constant``) or values drawn at random
(``varied``).
"""
