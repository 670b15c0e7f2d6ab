//go:build !unix

package checkpoint

// noFollow has no counterpart here; the caller looks at the file's type before and after it opens it.
const noFollow = 0
