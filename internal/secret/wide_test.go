package secret

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"
)

func TestUTF16(t *testing.T) {
	table := New(builtin(t))
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, mark := range []string{"", "\ufeff"} {
			for text, want := range map[string]bool{"PASSWORD=hunter2x9\r\n": true, "비밀번호\r\nPASSWORD=hunter2x9\r\n": true, "nothing of worth\r\n": false} {
				var data []byte
				for _, u := range utf16.Encode([]rune(mark + text)) {
					data = order.AppendUint16(data, u)
				}
				if got := table.HoldsIn("notes.txt", string(data)); got != want {
					t.Errorf("%v, mark %q: HoldsIn(%q) = %v, want %v", order, mark, text, got, want)
				}
			}
		}
	}
}
