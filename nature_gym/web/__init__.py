"""Asking other machines for things, politely: addresses, pacing, retries, and what may go wrong."""
