package reports

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// LoadBaseline reads a baseline's file. A missing one is an error that wraps
// [fs.ErrNotExist].
func LoadBaseline(path string) (*Baseline, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reports: baseline: %w", err)
	}
	defer f.Close()
	return ReadBaseline(f, path)
}

// Update writes the baseline to its file, unless that is what the file holds
// already, and says what changed. A file that cannot be read is replaced, and
// the text says so.
func (b *Baseline) Update(path string) (change string, err error) {
	old, loadErr := LoadBaseline(path)
	var drift *Drift
	if loadErr == nil {
		drift, loadErr = Gate(old, b)
	}
	var text bytes.Buffer
	if err := b.Write(&text); err != nil {
		return "", err
	}
	if present, err := os.ReadFile(path); err == nil && bytes.Equal(present, text.Bytes()) {
		return path + ": unchanged", nil
	}
	if err := WriteFile(path, b.Write); err != nil {
		return "", err
	}
	switch {
	case errors.Is(loadErr, fs.ErrNotExist):
		return fmt.Sprintf("%s: written for the first time: %s, %s on %s", path,
			count(len(b.Rows), "row"), count(len(b.Contestants), "contestant"), count(len(b.Seeds), "seed")), nil
	case loadErr != nil:
		return fmt.Sprintf("%s: written anew, in place of a file that was of no use (%v)", path, loadErr), nil
	}
	return fmt.Sprintf("%s: rewritten\n%s", path, drift), nil
}
