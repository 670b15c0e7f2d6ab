rootProject.name = "ledger"
