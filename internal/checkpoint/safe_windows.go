package checkpoint

import "strings"

// windowsNames says whether a name means something else on Windows than it does in a tree.
func windowsNames(path string) bool { return strings.ContainsRune(path, '\\') }
