"""Iceberg tables as a mounted database: where their metadata lies is asked of a catalog or a folder, and we read it ourselves.

mount.py            IcebergMount: a database of Iceberg tables
changing.py         what a mount does when a table is changed through it
evolution/          the commit to a table: staged, compared, sent, settled
look.py             what one look at a table found
history.py          the schemas that were current, out of the metadata log
live_schemas.py     the schemas that live data files were written with, out of manifests
manifests.py        what manifest lists and the headers of manifests say
metadata_faults.py  what is wrong with the metadata itself
catalog_finder.py   where the catalogs of pyiceberg say that the metadata lies
rest_finder.py      a REST catalog, whose answer holds the metadata
folder_finder.py    folders that no catalog is asked about
folder_heads.py     which of the metadata files in a folder is the current one
finder.py           what these three have in common
stop_at_location.py how a catalog of pyiceberg is kept from reading the metadata itself
locations.py        files by their full locations
catalog_errors.py   our errors for those of catalogs
"""
