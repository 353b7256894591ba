"""Values of one type as values of another, in Spark's SQL, with the answers of Java Paimon. In reading order:

conversion    what a conversion is: two texts of SQL; the pieces of which conversions are made
table         which conversion from type to type, and the check that a value would come back
numbers       BOOLEAN and the numbers
text          text and bytes
times         DATE and the two TIMESTAMPs
calendar      text as a DATE or a TIMESTAMP
containers    ARRAY, MAP and ROW as text
"""
