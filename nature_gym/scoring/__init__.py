"""From a printed score and an evaluator's number to the gap g, and from gaps to a leaderboard's figures.

One module a step: :mod:`~nature_gym.scoring.printed` reads what a paper prints, :mod:`~nature_gym.scoring.gap` holds an
answer against it, :mod:`~nature_gym.scoring.leaderboard` counts over tasks, and
:mod:`~nature_gym.scoring.statistics` says how sure those counts are. All of it is pure functions.
"""
