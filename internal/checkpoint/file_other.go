//go:build !unix

package checkpoint

import "io/fs"

// noFollow has no counterpart here; the caller looks at the file's type before and after it opens it.
const noFollow = 0

// hardLinked is not told here: a file's information does not say how many names it has.
func hardLinked(fs.FileInfo) bool { return false }
