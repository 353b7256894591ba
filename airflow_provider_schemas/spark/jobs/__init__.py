"""Jobs as they are submitted: one file each, to be named to spark-submit. Airflow's operators start them, and so may anybody."""
