"""The application: its routes, rights, headers, and what it shows where something fails."""
