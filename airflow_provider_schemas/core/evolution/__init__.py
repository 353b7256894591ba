"""Evolution: changes applied to a schema, and the changes between two schemas."""
