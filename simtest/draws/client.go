package draws

import (
	"strconv"

	"github.com/ranktest/ranktest/simtest/pyrand"
)

// Client is the randomness of a simulated client for one purpose (the jitter
// of its retries, say). It is pointed with At at one logical identity after
// the other (job, step, attempt), never at a worker, so that it does not
// matter who does the work. The sequence of an identity is started when its
// first number is drawn, since most identities draw none.
//
// It is what contestants are handed, and therefore knows nothing of a world:
// no roll that the world makes can be reached from it.
type Client struct {
	key      Key
	identity [3]int
	started  bool
	watch    func(job, step, attempt int, number float64)
	stream   Stream
	python   *pyrand.Rand
	prefix   []byte
}

// NewClient returns the client's randomness for a purpose.
func NewClient(seed uint64, purpose string) *Client {
	return &Client{key: Of(seed, purpose)}
}

// NewPythonClient is NewClient with the reference's generators, each seeded by
// the text "seed:purpose:job:step:attempt".
func NewPythonClient(seed uint64, purpose string) *Client {
	c := NewClient(seed, purpose)
	c.python = pyrand.NewText("")
	c.prefix = append(strconv.AppendUint(nil, seed, 10), ":"+purpose...)
	return c
}

// At points the stream at the start of the numbers of an identity.
func (c *Client) At(job, step, attempt int) {
	c.identity, c.started = [3]int{job, step, attempt}, false
	if c.watch != nil {
		c.watch(job, step, attempt, c.Float64())
		c.started = false // from the start again, as if nobody had looked
	}
}

// Watch has f called with every identity that the stream is pointed at, and
// the first number there. It changes no number that is drawn.
func (c *Client) Watch(f func(job, step, attempt int, number float64)) { c.watch = f }

// Float64 returns the identity's next uniform number in [0, 1).
func (c *Client) Float64() float64 {
	if !c.started {
		c.start()
	}
	return c.next()
}

func (c *Client) next() float64 {
	if c.python != nil {
		return c.python.Float64()
	}
	return c.stream.Float64()
}

func (c *Client) start() {
	c.started = true
	if c.python == nil {
		key := c.key
		for _, part := range c.identity {
			key = key.With(uint64(part))
		}
		c.stream = key.Stream()
		return
	}
	text := append(make([]byte, 0, 64), c.prefix...)
	for _, part := range c.identity {
		text = strconv.AppendInt(append(text, ':'), int64(part), 10)
	}
	c.python.SeedText(text)
}
