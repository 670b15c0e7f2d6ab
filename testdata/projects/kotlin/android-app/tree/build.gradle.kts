plugins {
    alias(libs.plugins.kotlin.android) apply false
}
