package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// Time is a time in milliseconds, as the database keeps it. JSON has it as people and programs write times.
type Time int64

// At is the time itself.
func (t Time) At() time.Time { return time.UnixMilli(int64(t)).UTC() }

// MarshalJSON writes it as RFC 3339.
func (t Time) MarshalJSON() ([]byte, error) {
	if at := t.At(); at.Year() > 0 && at.Year() < 10000 {
		return at.MarshalJSON()
	}
	return []byte("null"), nil // of a clock that was wrong, or of a stranger
}

// JSON is a part of an event's details, as it was written.
type JSON []byte

// Scan takes it from a column.
func (j *JSON) Scan(v any) error {
	*j = nil
	if text, ok := v.(string); ok && json.Valid([]byte(text)) {
		*j = JSON(text)
	}
	return nil
}

// MarshalJSON writes it as it is.
func (j JSON) MarshalJSON() ([]byte, error) {
	if len(j) == 0 {
		return []byte("null"), nil
	}
	return j, nil
}

// rows is what a database, and a transaction, can be asked with.
type rows interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// list reads all rows of a query; the columns are the fields of T, in their order.
func list[T any](ctx context.Context, db rows, query string, args ...any) ([]T, error) {
	out := []T{}
	err := each(ctx, db, func(v *T) error { out = append(out, *v); return nil }, query, args...)
	return out, err
}

// each calls f for every row of a query.
func each[T any](ctx context.Context, db rows, f func(*T) error, query string, args ...any) error {
	found, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("ask store: %w", err)
	}
	defer found.Close()
	for found.Next() {
		var v T
		fields := reflect.ValueOf(&v).Elem()
		into := make([]any, fields.NumField())
		for i := range into {
			into[i] = fields.Field(i).Addr().Interface()
		}
		if err := found.Scan(into...); err != nil {
			return fmt.Errorf("ask store: %w", err)
		}
		if err := f(&v); err != nil {
			return err
		}
	}
	if err := found.Err(); err != nil {
		return fmt.Errorf("ask store: %w", err)
	}
	return nil
}
