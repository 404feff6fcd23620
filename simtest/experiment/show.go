package experiment

import (
	"context"
	"io"
)

// Explainer is implemented by scenarios that can say in words what they take
// for granted: paragraphs of plain text, for people who will not read a list
// of numbers first.
type Explainer interface {
	Explain() []string
}

// Tracer is implemented by scenarios that can show a run in every detail.
type Tracer interface {
	// WriteTrace makes the same run as Run and writes it in the Trace Event
	// Format (see package traceevent), which Perfetto opens.
	WriteTrace(ctx context.Context, w io.Writer, contestant string, seed uint64) error
}
