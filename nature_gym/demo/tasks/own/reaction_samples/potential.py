"""The Müller-Brown model potential (Theor. Chim. Acta 53, 75-93, 1979), in its usual units."""

import numpy as np

A = np.array([-200.0, -100.0, -170.0, 15.0])
a = np.array([-1.0, -1.0, -6.5, 0.7])
b = np.array([0.0, 0.0, 11.0, 0.6])
c = np.array([-10.0, -10.0, -6.5, 0.7])
X0 = np.array([1.0, 0.0, -0.5, -1.0])
Y0 = np.array([0.0, 0.5, 1.5, 1.0])

BOX = ((-3.0, 2.0), (-2.0, 3.8))  # holds all but 1e-4 of the density at kT <= 30


def energy(xy):
    xy = np.atleast_2d(xy)
    dx, dy = xy[:, :1] - X0, xy[:, 1:2] - Y0
    return (A * np.exp(a * dx**2 + b * dx * dy + c * dy**2)).sum(axis=1)


def gradient(xy):
    xy = np.atleast_2d(xy)
    dx, dy = xy[:, :1] - X0, xy[:, 1:2] - Y0
    e = A * np.exp(a * dx**2 + b * dx * dy + c * dy**2)
    return np.stack([(e * (2 * a * dx + b * dy)).sum(axis=1), (e * (b * dx + 2 * c * dy)).sum(axis=1)], axis=1)
