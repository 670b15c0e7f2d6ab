package ground

import (
	"path/filepath"

	"github.com/modu-ai/moai/internal/work"
)

// ownName is the name under which Windows keeps a folder: PROGRA~1 and "program files" both become "Program Files".
func (l *links) ownName(f folder) string {
	there, rest := f.real, ""
	if f.missing {
		there, rest = f.real[:min(f.there, len(f.real))], f.real[min(f.there, len(f.real)):]
	}
	if !l.looks.Take(len(there)/8*work.Look) || len(there) > maxPath {
		return f.real
	}
	real, err := filepath.EvalSymlinks(there)
	if err != nil {
		return f.real
	}
	return filepath.Join(real, rest)
}
