"""Old data read as the newest schema has it."""
