"""Splitting: what ``task.yaml`` declares, carried out on files of any size.

A split is an array with one byte a row, the number of the row's part. Everything that decides about rows makes such an
array (:mod:`~nature_gym.splitting.parts`), everything that writes takes one
(:mod:`~nature_gym.splitting.tables`, :mod:`~nature_gym.splitting.arrays`), and rows are counted in between: so
that none is lost or doubled without notice.
"""
