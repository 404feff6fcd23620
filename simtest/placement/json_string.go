package placement

import (
	"fmt"
	"unicode/utf8"
)

// shared reads a string of which there are few different ones.
func (r *reader) shared() (string, error) {
	if err := r.unescape(); err != nil {
		return "", err
	}
	if s, ok := r.known[string(r.text)]; ok {
		return s, nil
	}
	s := string(r.text)
	r.known[s] = s
	return s, nil
}

func (r *reader) string() (string, error) {
	if err := r.unescape(); err != nil {
		return "", err
	}
	return string(r.text), nil
}

// unescape reads a string into r.text.
func (r *reader) unescape() error {
	if r.next() != '"' {
		return r.refuse("must be a string")
	}
	start := r.pos
	r.text = r.text[:0]
	for i := r.pos + 1; i < len(r.data); {
		c := r.data[i]
		switch {
		case c == '"':
			r.pos = i + 1
			return nil
		case c == '\\':
			n := r.escape(r.data[i:])
			if n == 0 {
				r.pos = i
				return r.refuse("must be a valid escape")
			}
			i += n
		case c < ' ':
			r.pos = i
			return fieldError(r.path(), fmt.Sprintf("control character %#02x in a string", c), fmt.Sprintf("must be escaped (byte %d)", i))
		case c < utf8.RuneSelf:
			r.text = append(r.text, c)
			i++
		default:
			_, size := utf8.DecodeRune(r.data[i:])
			if size == 1 {
				r.pos = i
				return fieldError(r.path(), fmt.Sprintf("byte %#02x in a string", c), fmt.Sprintf("must be UTF-8 (byte %d)", i))
			}
			r.text = append(r.text, r.data[i:i+size]...)
			i += size
		}
	}
	r.pos = start
	return r.refuse("must end with a quotation mark")
}

// escape appends what an escape at the beginning of s stands for, and returns
// its length, 0 if it is none. Two escapes that are a surrogate pair are one
// character.
func (r *reader) escape(s []byte) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/':
		r.text = append(r.text, s[1])
	case 'b':
		r.text = append(r.text, '\b')
	case 'f':
		r.text = append(r.text, '\f')
	case 'n':
		r.text = append(r.text, '\n')
	case 'r':
		r.text = append(r.text, '\r')
	case 't':
		r.text = append(r.text, '\t')
	case 'u':
		return r.unicode(s)
	default:
		return 0
	}
	return 2
}

func (r *reader) unicode(s []byte) int {
	u, ok := unit(s)
	switch {
	case !ok:
		return 0
	case u < 0xd800 || u > 0xdfff:
		r.text = utf8.AppendRune(r.text, u)
		return 6
	}
	if low, ok := unit(s[6:]); ok && u < 0xdc00 && low >= 0xdc00 && low <= 0xdfff {
		r.text = utf8.AppendRune(r.text, 0x10000+(u-0xd800)<<10+(low-0xdc00))
		return 12
	}
	r.text = append(r.text, 0xe0|byte(u>>12), 0x80|byte(u>>6&0x3f), 0x80|byte(u&0x3f))
	return 6
}

// unit reads \uXXXX.
func unit(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var u rune
	for _, c := range s[2:6] {
		u <<= 4
		switch {
		case c >= '0' && c <= '9':
			u |= rune(c - '0')
		case c >= 'a' && c <= 'f':
			u |= rune(c-'a') + 10
		case c >= 'A' && c <= 'F':
			u |= rune(c-'A') + 10
		default:
			return 0, false
		}
	}
	return u, true
}
