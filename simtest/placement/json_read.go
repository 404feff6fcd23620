package placement

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// reader reads JSON whose shape is known beforehand, and refuses everything
// else, at once and by name. It keeps the place that it has come to, so that an
// error can name it, and it needs no memory beyond what it hands out.
type reader struct {
	data  []byte
	pos   int
	list  string // the list that is being read, or ""
	index int    // the element of it
	field string // the field that is being read, or ""
	inner int    // the element of an array inside that field, or -1
	known map[string]string
	text  []byte // the string being read, unescaped
}

func newReader(data []byte) *reader {
	return &reader{data: data, inner: -1, known: map[string]string{}}
}

// path names the current place, like workers[3].capabilities[0].
func (r *reader) path() string {
	path := r.field
	if r.list != "" {
		path = strings.TrimSuffix(fmt.Sprintf("%s[%d].%s", r.list, r.index, r.field), ".")
	}
	if r.inner >= 0 {
		path = fmt.Sprintf("%s[%d]", path, r.inner)
	}
	if path == "" {
		return "(file)"
	}
	return path
}

// refuse blames the value that starts at the current byte.
func (r *reader) refuse(want string) error {
	return fieldError(r.path(), r.snippet(), fmt.Sprintf("%s (byte %d)", want, r.pos))
}

// snippet shows the beginning of what comes next.
func (r *reader) snippet() string {
	const most = 24
	end := r.pos
	quoted := end < len(r.data) && r.data[end] == '"'
	for end < len(r.data) && end-r.pos < most {
		c := r.data[end]
		end++
		if end-r.pos == 1 {
			continue
		}
		if quoted && c == '"' {
			break
		}
		if !quoted && (c == ',' || c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ']' || c == '}') {
			end--
			break
		}
	}
	if end == r.pos {
		return "end of file"
	}
	shown := r.data[r.pos:end]
	if !utf8.Valid(shown) {
		return fmt.Sprintf("%q", shown)
	}
	return string(shown)
}

// next skips white space and returns the next byte, 0 at the end.
func (r *reader) next() byte {
	for ; r.pos < len(r.data); r.pos++ {
		switch c := r.data[r.pos]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

func (r *reader) expect(c byte, want string) error {
	if r.next() != c {
		return r.refuse(want)
	}
	r.pos++
	return nil
}

// object reads an object that has each of the fields exactly once, in any
// order. read is called with the number of each field, to read its value.
func (r *reader) object(fields []string, read func(field int) error) error {
	if err := r.expect('{', "must be an object"); err != nil {
		return err
	}
	outer := r.field
	seen := 0
	for first := true; ; first = false {
		r.field = outer
		if r.next() == '}' {
			r.pos++
			break
		}
		if !first {
			if err := r.expect(',', "must be followed by a comma or a closing brace"); err != nil {
				return err
			}
			r.next()
		}
		at := r.pos
		if err := r.unescape(); err != nil {
			return err
		}
		i := slices.Index(fields, string(r.text))
		switch {
		case i < 0:
			r.pos = at
			return r.refuse(fmt.Sprintf("unknown field: must be one of %q", fields))
		case seen&(1<<i) != 0:
			r.pos, r.field = at, fields[i]
			return r.refuse("must be given once")
		}
		seen |= 1 << i
		if err := r.expect(':', "must be followed by a colon"); err != nil {
			return err
		}
		r.field = fields[i]
		r.next()
		if err := read(i); err != nil {
			return err
		}
	}
	for i, name := range fields {
		if seen&(1<<i) == 0 {
			r.field = name
			return fieldError(r.path(), "missing", "must be given")
		}
	}
	return nil
}

// array reads an array; read is called to read each element.
func (r *reader) array(read func(i int) error) error {
	if err := r.expect('[', "must be an array"); err != nil {
		return err
	}
	for i := 0; ; i++ {
		if r.next() == ']' {
			r.pos++
			return nil
		}
		if i > 0 {
			if err := r.expect(',', "must be followed by a comma or a closing bracket"); err != nil {
				return err
			}
		}
		r.next()
		if err := read(i); err != nil {
			return err
		}
	}
}

// digits returns the literal of an integer: no fraction and no exponent, so
// that 2.9 is not taken for 2.
func (r *reader) digits() (string, error) {
	start, end := r.pos, r.pos
	if end < len(r.data) && r.data[end] == '-' {
		end++
	}
	first := end
	for end < len(r.data) && r.data[end] >= '0' && r.data[end] <= '9' {
		end++
	}
	if end == first || end-first > 1 && r.data[first] == '0' {
		return "", r.refuse("must be an integer")
	}
	if end < len(r.data) {
		if c := r.data[end]; c == '.' || c == 'e' || c == 'E' {
			return "", r.refuse("must be an integer, without fraction or exponent")
		}
	}
	r.pos = end
	return string(r.data[start:end]), nil
}

func (r *reader) int() (int, error) {
	start := r.pos
	text, err := r.digits()
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		r.pos = start
		return 0, r.refuse("must fit into 64 bits")
	}
	return n, nil
}

// maxDigits is where Python stops reading integers, since the time that takes
// grows with the square.
const maxDigits = 4300

func (r *reader) bigInt() (*big.Int, error) {
	start := r.pos
	text, err := r.digits()
	if err != nil {
		return nil, err
	}
	if len(text) > maxDigits {
		r.pos = start
		return nil, r.refuse(fmt.Sprintf("must have at most %d digits", maxDigits))
	}
	n, _ := new(big.Int).SetString(text, 10)
	return n, nil
}

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
