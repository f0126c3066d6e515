"""The method of the measured papers, with its baselines and metrics: these files are also shipped as the authors'."""
