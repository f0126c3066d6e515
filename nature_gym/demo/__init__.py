"""The demo world: invented papers with real small data, and the hosts where they live, all on this machine."""
