package seat

import (
	"slices"
	"testing"
)

func TestTexts(t *testing.T) {
	args, environ := texts([]byte("\x02\x00\x00\x00/usr/bin/x\x00\x00\x00x\x00-p\x00HOME=/\x00A=1\x00\x00"))
	if !slices.Equal(args, []string{"x", "-p"}) || !slices.Equal(environ, []string{"HOME=/", "A=1"}) {
		t.Errorf("%q, %q", args, environ)
	}
	for _, b := range []string{"", "\x01", "\x01\x00\x00\x00", "\xff\xff\xff\xffabc\x00"} {
		texts([]byte(b))
	}
}
