"""ODF schemas compared, and whether a schema may follow another."""
