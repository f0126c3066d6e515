"""Images against plain loops over windows; SSIM and PSNR against scikit-image are in test_reference_values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from nature_gym.metrics import image as ours

RANDOM = np.random.default_rng(11)


def blurred(plane: np.ndarray) -> np.ndarray:
    """The Gaussian means of windows within the plane, by scipy."""
    return np.asarray(gaussian_filter(plane, 1.5, truncate=5 / 1.5)[5:-5, 5:-5])


def similarity(one: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    mean_one, mean_other = blurred(one), blurred(other)
    shared = blurred(one * other) - mean_one * mean_other
    spreads = blurred(one * one) - mean_one**2, blurred(other * other) - mean_other**2
    contrast = (2 * shared + 0.03**2) / (spreads[0] + spreads[1] + 0.03**2)
    light = (2 * mean_one * mean_other + 0.01**2) / (mean_one**2 + mean_other**2 + 0.01**2)
    return float((light * contrast).mean()), float(contrast.mean())


def test_five_scales_by_their_definition() -> None:
    one = gaussian_filter(RANDOM.random((192, 200)), 2)
    one = (one - one.min()) / np.ptp(one)
    other = np.clip(one + RANDOM.normal(scale=0.05, size=one.shape), 0, 1)
    expected, planes = 1.0, (one, other)
    for scale, weight in enumerate(ours.WEIGHTS):
        whole, contrast = similarity(*planes)
        expected *= (whole if scale == 4 else contrast) ** weight
        planes = tuple(
            (
                p[: p.shape[0] // 2 * 2, : p.shape[1] // 2 * 2][::2, ::2]
                + p[1::2, : p.shape[1] // 2 * 2][:, ::2]
                + p[: p.shape[0] // 2 * 2, 1::2][::2]
                + p[1::2, 1::2]
            )
            / 4
            for p in planes
        )
    assert ours.ms_ssim(one, other, data_range=1.0) == pytest.approx(expected, abs=1e-9)
    assert ours.ms_ssim(one, one, data_range=1.0) == pytest.approx(1.0)
    assert ours.ms_ssim(one, 1 - one, data_range=1.0) == 0.0


def test_images_and_channels_are_averaged() -> None:
    one, other = RANDOM.random((3, 12, 13)), RANDOM.random((3, 12, 13))
    each = [ours.ssim(a, b, 1.0) for a, b in zip(one, other, strict=True)]
    assert ours.ssim(one, other, 1.0) == pytest.approx(np.mean(each))
    colours = np.moveaxis(one, 0, -1), np.moveaxis(other, 0, -1)
    assert ours.ssim(*colours, 1.0) == pytest.approx(np.mean(each))
    assert ours.ssim(colours[0][None], colours[1][None], 1.0) == pytest.approx(np.mean(each))


def test_the_range_of_values_is_that_of_the_type_or_of_the_reference() -> None:
    eight = np.array([[0, 100], [50, 50]], dtype=np.uint8)
    other = np.array([[0, 110], [50, 50]], dtype=np.uint8)
    assert ours.psnr(eight, other) == pytest.approx(10 * np.log10(255**2 / 25))
    assert ours.psnr(eight.astype(float), other.astype(float)) == pytest.approx(10 * np.log10(100**2 / 25))
    assert ours.psnr(eight, eight) == 100.0


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [((5, 20), "smaller than the window"), ((20,), "none of those"), ((1, 2, 3, 4, 5), "none of")],
)
def test_what_is_no_image_is_refused(shape: tuple[int, ...], sentence: str) -> None:
    image = np.zeros(shape)
    image.flat[0] = 1
    with pytest.raises(ValueError, match=sentence):
        ours.ssim(image, image)


def test_a_small_image_has_no_five_scales_and_a_flat_one_no_range() -> None:
    with pytest.raises(ValueError, match="five scales"):
        ours.ms_ssim(np.eye(100), np.eye(100))
    with pytest.raises(ValueError, match="data range"):
        ours.psnr(np.ones((3, 3)), np.zeros((3, 3)))
