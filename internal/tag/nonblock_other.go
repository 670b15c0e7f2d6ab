//go:build !unix

package tag

// nonblock is not needed where no file system holds pipes.
const nonblock = 0
