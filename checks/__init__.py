"""The checks that a task package has to pass before it is let through, one module a family."""
