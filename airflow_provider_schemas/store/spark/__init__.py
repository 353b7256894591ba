"""Storage through the Hadoop file systems of a Spark session."""
