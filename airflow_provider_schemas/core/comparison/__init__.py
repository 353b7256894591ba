"""Two schemas side by side: what differs, by the rule that each difference falls under."""
