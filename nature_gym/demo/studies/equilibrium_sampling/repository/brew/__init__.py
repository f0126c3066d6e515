from brew.fit import brew_fit, brew_sample  # noqa: F401
