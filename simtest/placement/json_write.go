package placement

import (
	"bytes"
	"io"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"
)

// encoder writes JSON exactly like Python's json module with sorted keys and
// ASCII output: either canonical (no white space), which digests are taken
// over, or indented by two spaces, which files have. Sorting the keys is up to
// the caller.
type encoder struct {
	out    io.Writer
	buf    []byte
	indent bool
	depth  int
	empty  bool // nothing is in the innermost array or object yet
	err    error
}

// begin opens an array or an object.
func (e *encoder) begin(bracket byte) {
	e.buf = append(e.buf, bracket)
	e.depth++
	e.empty = true
}

// end closes it.
func (e *encoder) end(bracket byte) {
	e.depth--
	if !e.empty {
		e.newline()
	}
	e.buf = append(e.buf, bracket)
	e.empty = false
	if len(e.buf) > 1<<15 {
		e.flush()
	}
}

// item begins the next element of an array.
func (e *encoder) item() {
	if !e.empty {
		e.buf = append(e.buf, ',')
	}
	e.empty = false
	e.newline()
}

// key begins the next member of an object.
func (e *encoder) key(name string) {
	e.item()
	e.text(name)
	e.buf = append(e.buf, ':')
	if e.indent {
		e.buf = append(e.buf, ' ')
	}
}

func (e *encoder) newline() {
	if !e.indent {
		return
	}
	e.buf = append(e.buf, '\n')
	for range e.depth {
		e.buf = append(e.buf, "  "...)
	}
}

func (e *encoder) flush() {
	if e.err == nil {
		_, e.err = e.out.Write(e.buf)
	}
	e.buf = e.buf[:0]
}

// finish ends an indented text with a newline, and writes the rest.
func (e *encoder) finish() error {
	if e.indent {
		e.buf = append(e.buf, '\n')
	}
	e.flush()
	return e.err
}

func (e *encoder) int(n int64)    { e.buf = strconv.AppendInt(e.buf, n, 10) }
func (e *encoder) big(n *big.Int) { e.buf = n.Append(e.buf, 10) }
func (e *encoder) bool(b bool)    { e.buf = strconv.AppendBool(e.buf, b) }
func (e *encoder) null()          { e.buf = append(e.buf, "null"...) }

// float writes the shortest digits that read back as x, always with a point
// or an exponent; the exponent form is used below 1e-4 and from 1e16 on.
func (e *encoder) float(x float64) {
	if a := math.Abs(x); a != 0 && (a < 1e-4 || a >= 1e16) {
		e.buf = strconv.AppendFloat(e.buf, x, 'e', -1, 64)
		return
	}
	start := len(e.buf)
	e.buf = strconv.AppendFloat(e.buf, x, 'f', -1, 64)
	if bytes.IndexByte(e.buf[start:], '.') < 0 {
		e.buf = append(e.buf, ".0"...)
	}
}

const hexDigits = "0123456789abcdef"

// text writes a string in pure ASCII.
func (e *encoder) text(s string) {
	b := append(e.buf, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			case c >= ' ' && c <= '~':
				b = append(b, c)
			default:
				b = appendControl(b, c)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			if lone, ok := surrogate(s[i:]); ok {
				r, size = lone, 3
			}
		}
		i += size
		if r >= 0x10000 {
			r -= 0x10000
			b = appendUnit(appendUnit(b, 0xd800|uint16(r>>10)), 0xdc00|uint16(r&0x3ff))
		} else {
			b = appendUnit(b, uint16(r))
		}
	}
	e.buf = append(b, '"')
}

func appendControl(b []byte, c byte) []byte {
	switch c {
	case '\b':
		return append(b, `\b`...)
	case '\t':
		return append(b, `\t`...)
	case '\n':
		return append(b, `\n`...)
	case '\f':
		return append(b, `\f`...)
	case '\r':
		return append(b, `\r`...)
	}
	return appendUnit(b, uint16(c))
}

func appendUnit(b []byte, u uint16) []byte {
	return append(b, '\\', 'u', hexDigits[u>>12], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}

// surrogate decodes a lone surrogate at the beginning of s. JSON can name half
// of a surrogate pair, and a trace that does so keeps its digest: the half is
// held in the three bytes that UTF-8 would use if it allowed that.
func surrogate(s string) (rune, bool) {
	if len(s) < 3 || s[0] != 0xed || s[1]&0xe0 != 0xa0 || s[2]&0xc0 != 0x80 {
		return 0, false
	}
	return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), true
}
