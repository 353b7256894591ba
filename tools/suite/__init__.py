"""Run the jobs of `make test` and `make test-all` side by side, show that they are alive, and say at the end what came of each."""
