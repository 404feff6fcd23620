package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// progress shows how far a long work is: one line of a terminal that is
// written again and again, and erased in the end. Where there is no terminal
// it shows nothing.
type progress struct {
	terminal *os.File // nil shows nothing
	start    time.Time

	mu          sync.Mutex
	what        string
	done, total int
	stop        chan struct{}
	stopOnce    sync.Once
	stopped     sync.WaitGroup
}

// redrawEvery is how often the line is written again.
const redrawEvery = 200 * time.Millisecond

// startProgress begins to show, if w is a terminal that can.
func startProgress(w io.Writer, what string, total int) *progress {
	p := &progress{start: time.Now(), what: what, total: total, stop: make(chan struct{})}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return p
	}
	p.terminal = f
	p.draw()
	p.stopped.Go(func() {
		ticker := time.NewTicker(redrawEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				p.draw()
			case <-p.stop:
				fmt.Fprint(f, "\r\x1b[K")
				return
			}
		}
	})
	return p
}

// set says how much of the work is done.
func (p *progress) set(done int) {
	p.mu.Lock()
	p.done = done
	p.mu.Unlock()
}

// end erases the line. Nothing is shown any more when it returns. It may be
// called again.
func (p *progress) end() {
	p.stopOnce.Do(func() { close(p.stop) })
	p.stopped.Wait()
}

func (p *progress) draw() {
	width, _, err := term.GetSize(int(p.terminal.Fd()))
	if err != nil || width < 20 {
		width = 80
	}
	p.mu.Lock()
	line := progressLine(p.what, p.done, p.total, time.Since(p.start))
	p.mu.Unlock()
	fmt.Fprintf(p.terminal, "\r%.*s\x1b[K", width-1, line)
}

// progressLine tells what is done, and how long the rest will take if it goes
// on like this.
func progressLine(what string, done, total int, elapsed time.Duration) string {
	line := fmt.Sprintf("%s: %d of %d, %v", what, done, total, elapsed.Round(time.Second))
	if done > 0 && done < total && elapsed > 2*time.Second {
		left := time.Duration(float64(elapsed) / float64(done) * float64(total-done))
		line += fmt.Sprintf(", about %v left", left.Round(time.Second))
	}
	return line
}
