"""Judging: was a score earned by a method learned, fitted or optimised on the data that were given?

policy       the twelve kinds of score that were not, and the digest of these words
verdict      what a judge says, and what several say together
case         what a judge is given of a trial, and of its package
given        which of the package's files are to learn from, and what the answers should be
program      the sources of an attempt, parsed and never run
scopes       what names in it mean
origins      where what they write as answers comes from
calls        what the functions of libraries do with what they are given
tracing, expressions, calling   how origins pass on
findings     from origins to categories
likeness     answers held against the truth and the data by hash and by value
records      the network log, the time line and the trajectory
forensic     the deterministic judge
shown        what a model is shown of a case
panel        the judges that are language models
agreement    how often two judges say the same
running      judging trials, and what stays of it
"""
