"""What data files say of themselves: which file is the newest, what its footer holds, and with which version it was written."""
