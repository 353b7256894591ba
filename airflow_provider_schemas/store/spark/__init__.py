"""Storage through the Hadoop file systems of a Spark session.

- `errors`: errors of Spark as errors of ours
- `files`: the files below an address, read through a session
"""
