"""What each engine reads, as it was measured.

- measurements: the outcomes of every pair of types in every engine, as data
- readers: the engines by name, and what they do with a pair of types
- write_measurements: what writers do with values of another type, as data
- writers: the writers by name, and what they do with a pair of types
"""
