//go:build !windows

package ground

// ownName is the folder's name: other systems than Windows know it by one name only.
func (l *links) ownName(f folder) string { return f.real }
