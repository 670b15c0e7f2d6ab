package cli

import (
	"reflect"
	"strings"

	"github.com/modu-ai/moai/internal/lang"
)

// detectSchema is the JSON Schema of what moai detect --json prints with these flags, read off the types themselves.
func (e *env) detectSchema(f *detectFlags) map[string]any {
	shape, title := reflect.TypeFor[lang.Report](), "moai detect --json"
	switch {
	case f.explain != "":
		shape, title = reflect.TypeFor[explained](), title+" --explain"
	case f.breakdown:
		shape, title = reflect.TypeFor[breakdownOf](), title+" --breakdown"
	case f.claims && !e.asksLanguage(f.why, &lang.Report{}):
		shape, title = reflect.TypeFor[claimsOf](), title+" --why"
	case f.claims:
		shape, title = reflect.TypeFor[whyOf](), title+" --why"
	}
	s := schemaOf(shape)
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = title
	return s
}

// schemaOf describes one type. What may be nil is null; fields that are left out when empty are not required.
func schemaOf(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{schemaOf(t.Elem()), map[string]any{"type": "null"}}}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Struct:
		properties, required := map[string]any{}, []string{}
		for field := range t.Fields() {
			if !field.IsExported() {
				continue
			}
			name, rest, _ := strings.Cut(field.Tag.Get("json"), ",")
			properties[name] = schemaOf(field.Type)
			if rest == "" {
				required = append(required, name)
			}
		}
		object := map[string]any{"type": "object", "properties": properties}
		object["required"], object["additionalProperties"] = required, false
		return object
	}
	return map[string]any{"type": "integer"}
}
