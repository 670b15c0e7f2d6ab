package api

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/build"
	"github.com/modu-ai/moai/internal/store"
)

// object is one of JSON.
type object = map[string]any

// openapi describes the routes, as they are.
func (s *Server) openapi(*http.Request) (any, error) {
	paths := map[string]object{}
	for _, r := range all() {
		one := object{"summary": r.text, "responses": object{"200": response(&r), "default": object{
			"description": "an answer no", "content": object{"application/json": object{"schema": schema(reflect.TypeFor[failure]())}},
		}}}
		params := []object{}
		for _, p := range r.params {
			kind := "string"
			if p.whole {
				kind = "integer"
			}
			params = append(params, object{"name": p.name, "in": p.in, "description": p.text, "required": p.must, "schema": object{"type": kind}})
		}
		if len(params) > 0 {
			one["parameters"] = params
		}
		if r.body != nil {
			one["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": schema(reflect.TypeOf(r.body))}}}
			one["security"] = []object{{"cookie": []string{}, "key": []string{}, "write": []string{}}, {"bearer": []string{}, "write": []string{}}}
		}
		if r.open {
			one["security"] = []object{{"cookie": []string{}}, {"bearer": []string{}}}
		}
		if paths[r.path] == nil {
			paths[r.path] = object{}
		}
		paths[r.path][strings.ToLower(r.method)] = one
	}
	return object{
		"openapi": "3.1.0",
		"info":    object{"title": "moai", "version": build.Release, "description": "What happens in sessions of coding agents on this machine. It answers on this machine alone."},
		"paths":   paths,
		"components": object{"securitySchemes": object{
			"cookie": object{"type": "apiKey", "in": "cookie", "name": s.cookie()},
			"key":    object{"type": "apiKey", "in": "header", "name": keyHeader},
			"bearer": object{"type": "http", "scheme": "bearer"},
			"write":  object{"type": "apiKey", "in": "header", "name": writeHeader},
		}},
		"security": []object{{"cookie": []string{}, "key": []string{}}, {"bearer": []string{}}},
	}, nil
}

func response(r *route) object {
	if r.raw != nil {
		return object{"description": r.text, "content": object{r.kind: object{"schema": object{"type": "string"}}}}
	}
	return object{"description": r.text, "content": object{"application/json": object{"schema": schema(reflect.TypeOf(r.gives))}}}
}

// schema is how values of a type look as JSON.
func schema(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[store.Time](), reflect.TypeFor[time.Time]():
		return object{"type": []string{"string", "null"}, "format": "date-time"}
	case reflect.TypeFor[store.JSON](), reflect.TypeFor[json.RawMessage]():
		return object{} // whatever it is
	}
	switch t.Kind() {
	case reflect.Pointer:
		of := schema(t.Elem())
		if kind, ok := of["type"].(string); ok {
			of["type"] = []string{kind, "null"}
		}
		return of
	case reflect.Slice:
		return object{"type": "array", "items": schema(t.Elem())}
	case reflect.Struct:
		fields, required := object{}, []string{}
		properties(t, fields, &required)
		return object{"type": "object", "properties": fields, "required": required, "additionalProperties": false}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	}
	return object{"type": "string"}
}

func properties(t reflect.Type, fields object, required *[]string) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			properties(f.Type, fields, required)
		case name != "-":
			fields[name] = schema(f.Type)
			if !strings.Contains(options, "omit") {
				*required = append(*required, name)
			}
		}
	}
}
