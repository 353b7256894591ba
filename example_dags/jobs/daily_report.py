"""A Spark job as it is submitted: no Airflow, no storage library, no credentials of ours.

The guard of the task has put the versions that it saw into the Spark conf. assert_schema compares them with the schema files as they are
now, read through Spark: a table that has changed between the guard and here stops the job before it has read a row.
"""

from pyspark.sql import SparkSession

from airflow_provider_schemas.spark import assert_schema


def main() -> None:
    spark = SparkSession.builder.appName("daily_report").getOrCreate()
    try:
        assert_schema(spark)
        orders = spark.createDataFrame([(1, 7), (2, 7), (3, 9)], "order_id BIGINT, cust_id BIGINT")
        print(f"daily_report: {orders.count()} orders of {orders.select('cust_id').distinct().count()} customers")
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
