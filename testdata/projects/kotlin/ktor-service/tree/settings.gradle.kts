rootProject.name = "cart"
