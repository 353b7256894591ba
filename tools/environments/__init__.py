"""Make and grow the virtual environments of `make`. Runs on a bare Python 3.11, before anything is installed."""
