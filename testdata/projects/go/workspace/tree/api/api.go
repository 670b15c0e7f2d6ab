package api

import "errors"

// ErrFull is returned by Put when there is no room left.
var ErrFull = errors.New("api is full")

// Store keeps at most max values.
type Store struct {
	max    int
	values []string
}

// Put adds one value.
func (s *Store) Put(v string) error {
	if len(s.values) == s.max {
		return ErrFull
	}
	s.values = append(s.values, v)
	return nil
}
