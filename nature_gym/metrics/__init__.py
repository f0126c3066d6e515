"""Metrics: one pure function each, one module a family, and a registry that says what each of them is.

The idea: a function here is written so that its source can be lifted out, with what it calls, into a
package's evaluator, which then stands alone. So the family modules import numpy (seldom scipy, RDKit in two
functions) and each other, never the rest of this project but the plain record that describes them.

What is undefined because of the reference (one class, a constant, nothing to find) raises ValueError: the
task is at fault. What is undefined because of the prediction alone has a documented value: an answer that is
constant is a bad answer, not an error. No metric returns a number that is not finite.
"""
