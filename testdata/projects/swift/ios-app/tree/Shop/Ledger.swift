import Foundation

public struct Ledger {
    private var entries: [Decimal] = []

    public init() {}

    public mutating func record(_ amount: Decimal) {
        entries.append(amount)
    }

    public var balance: Decimal { entries.reduce(0, +) }
}
