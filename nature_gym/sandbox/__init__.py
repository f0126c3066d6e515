"""Where code of papers, packages and agents runs: one interface, three back ends, one conformance suite."""
