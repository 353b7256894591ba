"""The truth run: random pairs of schemas and contracts, judged by the library and executed by Spark."""
