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
