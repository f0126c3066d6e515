"""From an article as it was fetched (HTML, JATS, PDF) to text, links, tables and figures.

Each format has a reader that gives one :class:`~nature_gym.reading.document.Document`; everything after
that (links found in text, availability statements, the files written) is the same for all.
Nothing that is read is ever run.
"""
