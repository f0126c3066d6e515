"""What the two documents of a package say, sentence by sentence: the paper, the method, the evaluator's side, guidance.

Each module knows one thing that may not be said and the everyday language that looks like it. All of them are told a
text and give spans; which file is looked at, and what a finding says, is the check's.
"""
