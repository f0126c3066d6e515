"""PANORA: pairwise ANOVA ridge regression."""
from panora.model import PanoraRegressor

__all__ = ["PanoraRegressor"]
