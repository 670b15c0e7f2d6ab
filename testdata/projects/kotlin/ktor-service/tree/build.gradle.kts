plugins {
    kotlin("jvm") version "2.0.0"
}

dependencies {
    implementation("io.ktor:ktor-server-core:2.3.11")
}
