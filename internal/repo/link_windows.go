package repo

import "path/filepath"

// linkTarget is a link's target in the form that git stores: with forward slashes.
func linkTarget(s string) string { return filepath.ToSlash(s) }
