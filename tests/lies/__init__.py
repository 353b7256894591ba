"""What plain Spark makes of files whose table has changed since, beside what the library makes of them: cases, a run, a page, a test."""
