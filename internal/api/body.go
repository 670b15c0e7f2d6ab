package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
)

// body reads the JSON of a request: all that its type has, and nothing more. What is left out would be taken for no or nothing, and a
// change be another one than was meant.
func body(r *http.Request, v any) error {
	data, err := io.ReadAll(r.Body) // the door bounds it
	if errors.As(err, new(*http.MaxBytesError)) {
		return err
	}
	var named map[string]any
	if err != nil || json.Unmarshal(data, &named) != nil {
		return &answerError{http.StatusBadRequest, "the request is not the JSON that is wanted"}
	}
	fields, required, missing := object{}, []string{}, []string{}
	properties(reflect.TypeOf(v).Elem(), fields, &required)
	for _, name := range required {
		if named[name] == nil {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return &answerError{http.StatusBadRequest, "the request does not say " + strings.Join(missing, ", ")}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return &answerError{http.StatusBadRequest, "the request is not the JSON that is wanted: " + strings.TrimPrefix(err.Error(), "json: ")}
	}
	return nil
}
