"""Genetic search: tournament selection, blend crossover, Gaussian mutation, two elites."""
import numpy as np

from simulator import tmm


def genetic_search(simulate, target, library, cfg, rng, size=40):
    pop = rng.uniform(tmm.D_MIN, tmm.D_MAX, size=(size, tmm.N_LAYERS))
    fit = simulate(pop)
    while simulate.left >= size - 2:
        order = np.argsort(fit)
        elite, elite_fit = pop[order[:2]], fit[order[:2]]
        pairs = rng.integers(0, size, size=(size - 2, 2, 2))
        parents = np.where(fit[pairs[..., 0]] < fit[pairs[..., 1]], pairs[..., 0], pairs[..., 1])
        mix = rng.uniform(-0.25, 1.25, size=(size - 2, tmm.N_LAYERS))
        children = mix * pop[parents[:, 0]] + (1 - mix) * pop[parents[:, 1]]
        mutate = rng.random(children.shape) < 0.2
        children = np.clip(children + mutate * rng.normal(0, 10, children.shape), tmm.D_MIN, tmm.D_MAX)
        pop = np.concatenate([elite, children])
        fit = np.concatenate([elite_fit, simulate(children)])
    return pop[np.argmin(fit)], float(fit.min())
