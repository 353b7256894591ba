"""Which versions are still in use, and which may be deleted."""
