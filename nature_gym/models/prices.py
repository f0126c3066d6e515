"""What tokens cost: by the setting, else by the price list of the package ``genai-prices``, which is data alone."""

from __future__ import annotations

from nature_gym.config import Settings

_MILLION = 1_000_000
UNLISTED = (5.0, 25.0)
"""US dollars a million tokens, in and out, of a model that nobody has named a price for: a dear one's, so that
ceilings hold."""


def cost(settings: Settings, input_tokens: int, output_tokens: int) -> float:
    """US dollars of one call to the model that is set."""
    if settings.model_price:
        into, out = map(float, settings.model_price.split("/"))
        return (into * input_tokens + out * output_tokens) / _MILLION
    from genai_prices import Usage, calc_price

    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
    for provider in (settings.model_provider, None):  # a compatible service may have somebody else's model
        try:
            return float(calc_price(usage, settings.model, provider_id=provider).total_price)
        except LookupError:
            continue
    into, out = UNLISTED
    return (into * input_tokens + out * output_tokens) / _MILLION
