package secret

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// unwide is the text of a file in UTF-16, as editors and shells of Windows write it, and else what it was. Without a mark at the
// beginning it is told by its zeros: half of what people write in it is ASCII.
func unwide(text string) string {
	var order binary.ByteOrder
	switch {
	case strings.HasPrefix(text, "\xff\xfe"):
		order = binary.LittleEndian
	case strings.HasPrefix(text, "\xfe\xff"):
		order = binary.BigEndian
	default:
		head := text[:min(len(text), 256)]
		var zeros [2]int
		for i := range len(head) {
			if head[i] == 0 {
				zeros[i%2]++
			}
		}
		switch {
		case zeros[1] > len(head)/8 && zeros[1] > 4*zeros[0]:
			order = binary.LittleEndian
		case zeros[0] > len(head)/8 && zeros[0] > 4*zeros[1]:
			order = binary.BigEndian
		default:
			return text
		}
	}
	units := make([]uint16, 0, len(text)/2)
	for data := []byte(text); len(data) > 1; data = data[2:] {
		units = append(units, order.Uint16(data))
	}
	return strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff")
}
