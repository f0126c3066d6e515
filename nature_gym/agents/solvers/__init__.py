"""Programs that run in an agent's box: the standard library, numpy and scikit-learn, and the files beside them."""
