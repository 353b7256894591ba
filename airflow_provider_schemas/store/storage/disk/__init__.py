"""What the files of a local disk are made of.

entries.py          names in the listing of a folder, and what the system says of a file
content.py          the bytes of a file
temporary_files.py  files that get their name once their bytes are on the disk
links.py            the hard link, which one of all writers can make
folders.py          folders that are renamed and deleted while others write in them
durable_folders.py  folders whose names survive a power cut
roots.py            the folder without which nothing is taken for empty
"""
