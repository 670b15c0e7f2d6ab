//go:build !unix

package state

// Nonblock is not needed where no file system holds pipes.
const Nonblock = 0
