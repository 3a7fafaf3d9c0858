package terms

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a text lower-cased and without accents, as Words returns its words.
func Fold(text string) string {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		out = appendFolded(out, r)
	}
	return string(out)
}

// appendFolded appends r lower-cased and without accents. Accents are folded
// in Latin and Greek only; elsewhere marks carry meaning.
func appendFolded(dst []byte, r rune) []byte {
	r = unicode.ToLower(r)
	switch r {
	case 'ß':
		return append(dst, "ss"...)
	case 'æ':
		return append(dst, "ae"...)
	case 'œ':
		return append(dst, "oe"...)
	case 'ø':
		return append(dst, 'o')
	case 'ł':
		return append(dst, 'l')
	case 'đ', 'ð':
		return append(dst, 'd')
	case 'þ':
		return append(dst, "th"...)
	case 'ı':
		return append(dst, 'i')
	case 'ё':
		return utf8.AppendRune(dst, 'е')
	}
	if r >= 0x300 && r < 0x370 || r >= 0x64B && r <= 0x652 || r >= 0x591 && r <= 0x5C7 {
		return dst // separate accents, and optional vowel points
	}
	if r >= 0x400 && r < 0x1E00 || r >= 0x2000 && r < 0xFB00 {
		return utf8.AppendRune(dst, r)
	}
	var raw [utf8.UTFMax]byte
	n := utf8.EncodeRune(raw[:], r)
	var flat [32]byte
	for _, d := range string(norm.NFKD.Append(flat[:0], raw[:n]...)) {
		if d < 0x300 || d >= 0x370 {
			dst = utf8.AppendRune(dst, unicode.ToLower(d))
		}
	}
	return dst
}
