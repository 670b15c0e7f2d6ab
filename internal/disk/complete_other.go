//go:build !unix && !windows

package disk

func complete(string, *Stat) {}
