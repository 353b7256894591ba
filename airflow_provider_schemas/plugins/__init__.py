"""The page in Airflow's UI: a plugin of data only, and an application that is built at its first request.

What is here, from the outside in:

    schemas_plugin.py  what Airflow loads in each process: views and an application, as data
    lazy_app.py        the application, built by its first request; closed where it cannot be built
    application/       routes, rights, threads of our own, headers, and what is shown where there is no page
    gates/             pages of gates, of a DAG and of a task, out of XComs
    tables/            pages of tables, out of storages
    verdicts/          what tasks have pushed, read from Airflow's database
    connections/       connections and the stores behind them
    common/            what a page is, its query, and which connections are allowed
"""
