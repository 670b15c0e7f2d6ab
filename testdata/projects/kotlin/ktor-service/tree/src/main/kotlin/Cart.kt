package org.example

data class Line(val sku: String, val count: Int)

class Cart(private val lines: MutableList<Line> = mutableListOf()) {
    fun add(line: Line) {
        lines += line
    }

    val total: Int get() = lines.sumOf { it.count }
}
