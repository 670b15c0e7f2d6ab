//go:build !unix

package state

import "io/fs"

// ours cannot be told from a file's mode here; the folder for temporary files is the
// user's own on Windows.
func ours(fs.FileInfo) bool { return true }

// belongs takes every folder for the user's own: access lists say who may write here.
func Belongs(fs.FileInfo) bool { return true }
