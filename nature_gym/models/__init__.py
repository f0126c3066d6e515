"""Language models: one way to ask them, whoever asks: answers by schema, checked, remembered, and paid within ceilings.

A :class:`~nature_gym.models.client.Question` goes in, an answer of its type comes out, or a
:class:`~nature_gym.models.faults.ModelError` that says why there is none. What a question cost is in a ledger that
outlives the process.
"""
