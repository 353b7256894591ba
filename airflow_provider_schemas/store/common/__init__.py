"""Helpers that every part of the store uses: arguments, authors and the clock."""
