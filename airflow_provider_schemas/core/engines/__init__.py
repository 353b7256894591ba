"""What each engine reads, as it was measured."""
