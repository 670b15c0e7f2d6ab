package api

import (
	"context"
	"net/http"

	"github.com/modu-ai/moai/internal/store"
)

// picked answers with the rows of a question that fit.
func picked[T any](ask func(*store.Store, context.Context, *store.Pick) ([]T, error)) func(*Server, *http.Request) (any, error) {
	return func(s *Server, r *http.Request) (any, error) {
		p, err := s.pick(r)
		if err != nil {
			return nil, err
		}
		return ask(s.Store, r.Context(), p)
	}
}
