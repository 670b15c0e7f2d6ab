package lang

// Windows has no FIFOs in its file systems.
const openNonblock = 0
