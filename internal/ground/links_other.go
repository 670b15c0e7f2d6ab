//go:build !windows

package ground

// spelled is a folder's name, of which there is one.
func (l *links) spelled(f folder) string { return f.real }
