print("table")
