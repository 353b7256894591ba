"""What a command returns, and how it is written for people and for machines."""
