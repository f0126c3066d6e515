"""What a task's programs run in: the packages that they import, a base image that has most, and pins for the rest.

The one idea: nothing is executed to find out. Imports are read from syntax trees, authors' wishes from their
requirement files, what the base image brings from its manifest; uv chooses the versions, as of a date if asked, and
every choice says why it was made. The image's smoke test has the last word.
"""
