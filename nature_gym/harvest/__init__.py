"""From OpenAlex to a work record on each paper's folder."""
