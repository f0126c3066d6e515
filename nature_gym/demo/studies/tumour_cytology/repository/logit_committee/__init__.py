from .committee import LogitCommittee
from .io import load_table, VIEWS

__version__ = "1.0.2"
