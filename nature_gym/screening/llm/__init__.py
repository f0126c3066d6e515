"""The ``llm`` decider: a language model answers the rules of one level at a time, with quotations that are looked up.

What the model says is bound three ways: its answer has a schema; each quotation must stand in the paper, in a sentence
that the model was shown; and sentences that address a model were not shown. Whatever keeps it from an answer
(no key, a ceiling, a service that is down, nonsense) is a :class:`~nature_gym.screening.deciders.DeciderError`.
"""

from nature_gym.screening.llm.critic import LlmCritic
from nature_gym.screening.llm.decider import LlmDecider

__all__ = ["LlmCritic", "LlmDecider"]
