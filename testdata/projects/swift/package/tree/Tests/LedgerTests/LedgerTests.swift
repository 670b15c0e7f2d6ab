import XCTest
@testable import Ledger

final class LedgerTests: XCTestCase {}
