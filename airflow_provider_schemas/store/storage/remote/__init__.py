"""What files on object storages are made of.

listings.py         one listing of a folder, or of all below it, in as few requests as a storage needs
client_retries.py   how long the clients of storages wait, and how often they ask again
"""
