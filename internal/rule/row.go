package rule

import "sync/atomic"

// Row is a row of a generated table that is made when somebody asks for it. A table of structs with lists in them is data with pointers:
// at every start of the process Go's runtime works out where they all are, and a call needs a few rows of a thousand. A function is
// code, which costs nothing until it is called.
type Row[T any] struct {
	Make func() *T
	made atomic.Pointer[T]
}

// Get returns the row, the same one each time.
func (r *Row[T]) Get() *T {
	if got := r.made.Load(); got != nil {
		return got
	}
	if made := r.Make(); r.made.CompareAndSwap(nil, made) {
		return made
	}
	return r.made.Load() // somebody else was faster
}

// Rows are those of a list that is there already.
func Rows[T any](list []T) []Row[T] {
	rows := make([]Row[T], len(list))
	for i := range list {
		rows[i].made.Store(&list[i])
	}
	return rows
}
