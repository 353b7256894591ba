"""Plain files that a command line names: read, written, and recognized by their language."""
