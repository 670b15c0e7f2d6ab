package secret

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestStrings(t *testing.T) {
	mask := func(key, text string) string {
		if key == "pin" {
			return "***"
		}
		return strings.ReplaceAll(text, "s3cret", "***")
	}
	for in, want := range map[string]string{
		`{}`:                    `{}`,
		`{"a":1,"b":[true,""]}`: `{"a":1,"b":[true,""]}`,
		`{"a":"x s3cret y","b":["s3cret","z"],"n":3}`: `{"a":"x *** y","b":["***","z"],"n":3}`,
		`{"a\"s3cret":"\\","c":"\"s3cret\\"}`:         `{"a\"***":"\\","c":"\"***\\"}`,
		`{"a":"s3cre\u0074"}`:                         `{"a":"***"}`,
		`"s3cret`:                                     `"s3cret`,
		`{"pin" : 1234, "n": -1.5e3}`:                 `{"pin" : "***", "n": -1.5e3}`,
		`{"pin":["a",{"b":"c"}],"d":"e"}`:             `{"pin":["***",{"b":"c"}],"d":"e"}`,
		`[{"pin":"a"},"b"]`:                           `[{"pin":"***"},"b"]`,
	} {
		got := string(Strings([]byte(in), mask))
		if got != want {
			t.Errorf("Strings(%s) = %s, want %s", in, got, want)
		}
		if json.Valid([]byte(in)) && !json.Valid([]byte(got)) {
			t.Errorf("Strings(%s) is no JSON: %s", in, got)
		}
	}
}
