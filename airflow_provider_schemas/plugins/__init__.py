"""The page in Airflow's UI: a plugin of data only, and an application that is built at its first request.

What is here, from the top down:

    schemas_plugin         what Airflow loads in every process: names and addresses
    lazy_app               the application, built once somebody asks for a page
    application            routes, rights, headers, threads, and what is shown where something fails
    gates tables           the pages
    connections verdicts   what the pages read: stores behind connections, XComs in Airflow's database
    common                 what all pages share
"""
