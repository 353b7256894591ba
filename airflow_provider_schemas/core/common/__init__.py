"""Helpers that every part of the core uses: text, deadlines, secrets and strict JSON."""
