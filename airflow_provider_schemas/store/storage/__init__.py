"""Storage: local disks and object stores, the exclusive create, and what can go wrong."""
