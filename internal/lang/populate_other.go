//go:build unix && !linux

package lang

const populate = 0
