package reports

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Files names what to write, and where. Empty names write nothing.
type Files struct {
	// Dir is the folder of <Suite>.txt and <Suite>.seeds.txt.
	Dir, Suite string
	// JSON and Markdown are files.
	JSON, Markdown string
}

// Write writes the files that are named and returns their paths. If any result
// is partial, "partial" is put into every name (suite.partial.txt), so that a
// part never takes the place of a full report. What can be written is written,
// whatever happens to the others.
func Write(results []*Result, f Files) (paths []string, err error) {
	if f.Dir != "" && (f.Suite != filepath.Base(f.Suite) || strings.HasPrefix(f.Suite, ".")) {
		return nil, fmt.Errorf("reports: field %q: %q: must be the name of a file, without a folder", "Suite", f.Suite)
	}
	var failures []error
	write := func(path string, format func(io.Writer, []*Result) error) {
		if slices.ContainsFunc(results, func(r *Result) bool { return len(r.Partial) > 0 }) {
			path = PartialPath(path)
		}
		if err := WriteFile(path, func(w io.Writer) error { return format(w, results) }); err != nil {
			failures = append(failures, err)
			return
		}
		paths = append(paths, path)
	}
	if f.Dir != "" {
		write(filepath.Join(f.Dir, f.Suite+".txt"), WriteBenchstat)
		write(filepath.Join(f.Dir, f.Suite+".seeds.txt"), WriteSeeds)
	}
	if f.JSON != "" {
		write(f.JSON, WriteJSON)
	}
	if f.Markdown != "" {
		write(f.Markdown, WriteMarkdown)
	}
	return paths, errors.Join(failures...)
}

// PartialPath puts "partial" before the extension of a path.
func PartialPath(path string) string {
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + ".partial" + ext
}

// WriteFile writes a file as a whole or not at all: it is written under
// another name in the same folder, which is made if need be, and then renamed.
// What is there but is no regular file (a pipe, a terminal) is written to.
func WriteFile(path string, write func(io.Writer) error) error {
	err := writeFile(path, write)
	var system syscall.Errno
	switch {
	case err == nil:
		return nil
	case errors.As(err, &system):
		return fmt.Errorf("reports: file %q: %w: choose another place, or make this one writable", path, err)
	}
	return fmt.Errorf("reports: file %q: %w", path, err)
}

func writeFile(path string, write func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return fill(f, write)
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after the rename there is nothing to remove
	if err := f.Chmod(0o644); err != nil {
		f.Close()
		return err
	}
	if err := fill(f, write); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// fill writes and closes a file.
func fill(f *os.File, write func(io.Writer) error) error {
	buffered := bufio.NewWriter(f)
	err := write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	return errors.Join(err, f.Close())
}
