const { chunk } = require('../lib/chunk')
const assert = require('assert')
assert.deepEqual(chunk([1, 2, 3], 2), [[1, 2], [3]])
