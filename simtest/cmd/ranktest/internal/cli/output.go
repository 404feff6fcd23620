package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ranktest/ranktest/reports"
)

// output is something that is written where a flag says: to a file, or to the
// standard output for "-". An empty path writes nothing.
type output struct {
	flag, path string
	write      func(io.Writer) error
}

// toStdout reports whether one of the outputs is the standard output.
func toStdout(outputs []output) bool {
	for _, o := range outputs {
		if o.path == "-" {
			return true
		}
	}
	return false
}

// checkOutputs finds out what cannot be written, before there is anything to
// write: all of it. It leaves no trace in the file system.
func checkOutputs(outputs []output) error {
	var errs []error
	flags := map[string]string{}
	for _, o := range outputs {
		if o.path == "" {
			continue
		}
		place := o.path
		if abs, err := filepath.Abs(o.path); err == nil && o.path != "-" {
			place = abs
		}
		if other, twice := flags[place]; twice {
			errs = append(errs, fmt.Errorf("flag --%s: %q: must be another one than that of --%s", o.flag, o.path, other))
			continue
		}
		flags[place] = o.flag
		if o.path == "-" {
			continue
		}
		if err := checkWritable(o.path); err != nil {
			errs = append(errs, fmt.Errorf("flag --%s: %q: must be a file that can be written: %w", o.flag, o.path, err))
		}
	}
	return errors.Join(errs...)
}

// checkWritable reports why reports.WriteFile would fail, if that can be told
// now.
func checkWritable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return errors.New("it is a folder")
	case err == nil && !info.Mode().IsRegular():
		return nil // a device or a pipe: opening it may have effects
	}
	// Missing folders will be made: what counts is the nearest that exists.
	dir := filepath.Dir(path)
	for {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s is no folder", dir)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, os.ErrNotExist) || dir == filepath.Dir(dir) {
			return err
		}
		dir = filepath.Dir(dir)
	}
	probe, err := os.CreateTemp(dir, ".ranktest.*")
	if system, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("folder %q: %w", dir, system.Err)
	}
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// writeOutputs writes what can be written, whatever happens to the others. A
// partial result goes to a file of another name, so that it never takes the
// place of a full one.
func (a *App) writeOutputs(outputs []output, partial bool) error {
	var errs []error
	for _, o := range outputs {
		switch o.path {
		case "":
		case "-":
			errs = append(errs, o.write(a.Stdout))
		default:
			path := o.path
			if partial && !isDevice(path) {
				path = reports.PartialPath(path)
			}
			if err := reports.WriteFile(path, o.write); err != nil {
				errs = append(errs, err)
				continue
			}
			a.note("wrote %s", path)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return finding{err}
	}
	return nil
}

// isDevice reports whether there is something at path that is no regular file.
func isDevice(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}
