"""Programs of ours that run inside a box, beside the code of a package: Python 3.10 alone, nothing else of ours.

They are mounted as files beside the generated ``run.py``, whose readers they use.
"""
