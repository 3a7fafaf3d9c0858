// Package charset decodes text of an unknown character set to UTF-8: by byte
// order mark, by validity, and else by the decoding that looks most like
// natural language.
package charset

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	xunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"lectern/shared/text/document"
)

const sampleBytes = 8 << 10

// Decode decodes and cleans text of an unknown character set. guess names the
// set if it had to be guessed.
func Decode(data []byte) (text, guess string) {
	if e := OfMark(data); e != nil {
		return With(e, data), ""
	}
	if utf8.Valid(data) {
		return document.Clean(string(data)), ""
	}
	if e := LooksUTF16(data[:min(len(data), sampleBytes)]); e != nil {
		return With(e, data), "UTF-16"
	}
	e, name := guessEncoding(data)
	if e == nil {
		// Almost valid UTF-8: a damaged file, not another character set.
		return document.Clean(string(data)), "UTF-8"
	}
	return With(e, data), name
}

// With decodes text in a known character set and cleans it.
func With(e encoding.Encoding, data []byte) string {
	out, err := e.NewDecoder().Bytes(data)
	if err != nil {
		out = data
	}
	return document.Clean(string(out))
}

// OfMark returns the encoding that a byte order mark names, nil without one.
func OfMark(b []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(b, []byte("\xEF\xBB\xBF")):
		return xunicode.UTF8BOM
	case bytes.HasPrefix(b, []byte("\xFF\xFE\x00\x00")):
		return utf32.UTF32(utf32.LittleEndian, utf32.ExpectBOM)
	case bytes.HasPrefix(b, []byte("\x00\x00\xFE\xFF")):
		return utf32.UTF32(utf32.BigEndian, utf32.ExpectBOM)
	case bytes.HasPrefix(b, []byte("\xFF\xFE")):
		return xunicode.UTF16(xunicode.LittleEndian, xunicode.ExpectBOM)
	case bytes.HasPrefix(b, []byte("\xFE\xFF")):
		return xunicode.UTF16(xunicode.BigEndian, xunicode.ExpectBOM)
	}
	return nil
}

// LooksUTF16 detects UTF-16 without a mark by the positions of zero bytes.
func LooksUTF16(head []byte) encoding.Encoding {
	if len(head) < 8 {
		return nil
	}
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	half := len(head) / 2
	endian := xunicode.LittleEndian
	switch {
	case zeros[1]*10 > half*4 && zeros[0]*20 < half:
	case zeros[0]*10 > half*4 && zeros[1]*20 < half:
		endian = xunicode.BigEndian
	default:
		return nil
	}
	e := xunicode.UTF16(endian, xunicode.IgnoreBOM)
	out, err := e.NewDecoder().Bytes(head[:len(head)&^1])
	if err != nil {
		return nil
	}
	bad := 0
	for _, r := range string(out) {
		if r == utf8.RuneError || r < ' ' && !unicode.IsSpace(r) {
			bad++
		}
	}
	if bad*50 > len(head) {
		return nil
	}
	return e
}

// guessEncoding returns the most plausible character set of text that is not
// UTF-8: it decodes a sample in each candidate, and falls back to windows-1252.
// nil means UTF-8 with a few damaged bytes.
func guessEncoding(data []byte) (encoding.Encoding, string) {
	sample := data
	if len(sample) > 64<<10 {
		sample = nonASCIIPart(data)
	}
	if mostlyUTF8(sample) {
		return nil, ""
	}
	type candidate struct {
		name string
		enc  encoding.Encoding
	}
	best, bestScore := candidate{"windows-1252", charmap.Windows1252}, 0.0
	for _, c := range []candidate{
		{"windows-1252", charmap.Windows1252},
		{"Shift_JIS", japanese.ShiftJIS}, {"EUC-JP", japanese.EUCJP}, {"ISO-2022-JP", japanese.ISO2022JP},
		{"GB18030", simplifiedchinese.GB18030}, {"Big5", traditionalchinese.Big5}, {"EUC-KR", korean.EUCKR},
		{"windows-1251", charmap.Windows1251}, {"KOI8-R", charmap.KOI8R}, {"IBM866", charmap.CodePage866},
		{"windows-1250", charmap.Windows1250}, {"windows-1253", charmap.Windows1253},
		{"windows-1254", charmap.Windows1254}, {"windows-1255", charmap.Windows1255}, {"windows-1256", charmap.Windows1256},
	} {
		out, err := c.enc.NewDecoder().Bytes(sample)
		if err != nil {
			continue
		}
		if score := plausibility(string(out)); score > bestScore {
			best, bestScore = c, score
		}
	}
	return best.enc, best.name
}

// nonASCIIPart returns a sample of a long text around bytes outside ASCII.
func nonASCIIPart(data []byte) []byte {
	i := bytes.IndexFunc(data, func(r rune) bool { return r >= utf8.RuneSelf })
	i = max(i-1000, 0)
	return data[i:min(len(data), i+64<<10)]
}

func mostlyUTF8(b []byte) bool {
	good, bad := 0, 0
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			bad++
		} else {
			good++
		}
		i += size
	}
	return good > 4*bad
}

// plausibility scores decoded text by its letters outside ASCII: common ones of
// a script add to the score; rare ones, marks between letters and mixed scripts
// reduce it.
func plausibility(s string) float64 {
	score, n := 0.0, 0
	prev := 'a'
	for _, r := range s {
		if r < utf8.RuneSelf && prev < utf8.RuneSelf {
			prev = r
			continue
		}
		if r >= utf8.RuneSelf {
			n++
		}
		switch {
		case r == utf8.RuneError, r >= 0x80 && r < 0xA0, r >= 0xE000 && r < 0xF900, r >= 0x20000:
			score -= 5
		case r < utf8.RuneSelf:
			if unicode.IsLetter(r) && foreign(prev) {
				score--
			}
		case r >= 0x3040 && r < 0x30FF:
			score += 2.2
		case r >= 0xFF61 && r <= 0xFF9F: // half-width kana: what other sets look like
			score -= 1.5
		case r >= 0xAC00 && r < 0xD7B0:
			score += 1.6
		case r >= 0x4E00 && r < 0xA000:
			// A common character counts more than two letters of one byte.
			score += 0.7
			if strings.ContainsRune(commonHan, r) {
				score += 1.6
			}
		case r == '、' || r == '。' || r == '，' || r == '：' || r == '「' || r == '」':
			score += 2
		case r >= 'а' && r <= 'я', r >= 'α' && r <= 'ώ', r >= 0x05D0 && r <= 0x05EA, r >= 0x0621 && r <= 0x064A:
			score++
			if strings.ContainsRune("оеаинтслврαοιετσίנולהיاليمونر", r) {
				score += 0.4
			}
			if prev >= 'a' && prev <= 'z' || prev >= 'A' && prev <= 'Z' {
				score -= 1.5
			}
		case r >= 'А' && r <= 'Я', r >= 'Α' && r <= 'Ω':
			score += 0.3
			if unicode.IsLower(prev) {
				score--
			}
		case strings.ContainsRune("äöüÄÖÜßéèêàáâçñíóúôîûùëïÉÀ¿¡", r):
			score += 1.1
			if prev >= utf8.RuneSelf && unicode.IsLetter(prev) {
				score -= 1.5
			}
		case strings.ContainsRune("’“”–—…„‘€£«»°·•§®©™ ", r):
			score += 0.8
		case strings.ContainsRune("ąćęłńśźżčďěňřšťůžőűășşţğışİŐŰŠŽČŁŚÇÁÍÓÚÑ", r):
			score += 0.75
		case unicode.IsLetter(r):
			score -= 0.3
		default:
			score -= 0.8
		}
		prev = r
	}
	if n == 0 {
		return 0
	}
	return score
}

// foreign reports whether Latin letters directly beside r are unlikely.
func foreign(r rune) bool { return r >= 0x0370 && r < 0x0600 }

// commonHan holds the most frequent characters of Chinese, traditional and
// simplified, and of Japanese.
const commonHan = "的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家十用发天如然作方成者多日都三小军二无同么经法当起与好看学进种将还分此心前面又定见只主没公从" +
	"這為來個們說國時會後對著裡過發無麼經當與學進種將還見沒從" + "本東京会社語者年月日人大出中新見行入自分前手気間"
