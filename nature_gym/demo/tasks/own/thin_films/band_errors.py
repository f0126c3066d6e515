"""What the simulator says of designs."""

from typing import Any

import numpy as np
import tmm


def band_errors(reference: Any, prediction: Any) -> Any:
    """Targets and thicknesses in nm (targets, 6) -> the error of each design (targets,)."""
    spectra = tmm.reflectance(np.clip(np.asarray(prediction, dtype=float), tmm.D_MIN, tmm.D_MAX))
    pairs = zip(spectra, reference["targets"], strict=True)
    return np.asarray([tmm.band_error(spectrum, target) for spectrum, target in pairs])
