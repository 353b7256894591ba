"""ODF schemas as Arrow schemas, and Arrow schemas as ODF."""
