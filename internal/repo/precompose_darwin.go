package repo

import "golang.org/x/text/unicode/norm"

// precompose gives a name in the composed form that git keeps in the index
// (core.precomposeUnicode, which git sets on every Mac): HFS+ and some network file
// systems hand out decomposed names, most visibly for Korean.
func precompose(name string) string {
	for i := range len(name) {
		if name[i] >= 0x80 {
			return norm.NFC.String(name)
		}
	}
	return name
}
