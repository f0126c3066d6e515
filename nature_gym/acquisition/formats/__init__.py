"""What kinds of files there are, and how each is looked into without loading it."""
