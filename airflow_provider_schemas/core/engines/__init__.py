"""What each engine reads, as it was measured.

- measurements: the outcomes of every pair of types in every engine, as data
- readers: the engines by name, and what they do with a pair of types
- engine_types: which type a job of an engine sees, where that is not the type of the table
- write_measurements: what writers do with values of another type, as data
- writers: the writers by name, and what they do with a pair of types
"""
