"""The gate: what a job needs, what the tables offer, and the verdict."""
