"""What `make` runs: the scripts behind its targets. Nothing here is installed."""
