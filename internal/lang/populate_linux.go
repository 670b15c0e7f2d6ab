package lang

import "golang.org/x/sys/unix"

// populate fills the page table in one go instead of at every sixteenth page.
const populate = unix.MAP_POPULATE
