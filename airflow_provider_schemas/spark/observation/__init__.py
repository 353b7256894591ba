"""What a Spark job reads, observed from its plan."""
