"""Tasks that run Spark: submitted, watched, and reported."""
