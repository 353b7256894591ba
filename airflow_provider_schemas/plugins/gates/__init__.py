"""Pages of gates: all of them, those of a DAG, and the verdict on one task."""
