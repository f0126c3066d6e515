"""The database: an index of the record folders, for lists, counts and look-ups.

Of papers and runs it is never the record. Whatever stands here was read from the folders and can be read again:
``refresh`` takes in what changed, ``rebuild`` starts from nothing, and both come to the same rows. Trials are written
here first, for an attempt is one transaction; their folders hold the same, and bring them back.

    address     which database, and how it is shown without its password
    engine      connections, set up the same way everywhere
    transactions  one writer at a time, on SQLite and on PostgreSQL
    tables      the tables
    migrations  from each revision of the tables to the next
    entries     what the index says of one paper, read from its folder
    index       refresh and rebuild
    funnel      counts and lists
    trials      trials and their attempts
    checks      runs of the checks, one row a record
"""
