"""The demo's papers as a journal would print them: web pages, JATS, PDF and an OpenAlex record.

One module a form; each is a function from a :class:`~nature_gym.demo.model.Paper` to bytes
(or, for records, a dictionary) that depends on nothing else, so that equal papers give equal
bytes.
"""
