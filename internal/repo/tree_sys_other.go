//go:build !unix

package repo

import "io/fs"

// fillSys has nothing to add: git writes no inode, owner or change time here either.
func fillSys(fs.FileInfo, *fileStat) {}
