package catalog

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"time"

	"github.com/ranktest/ranktest/simtest/provider"
)

// data holds samples of public traces; data/README.md says whose they are.
//
//go:embed data/*.csv.gz
var data embed.FS

// rows reads a sample, without its header.
func rows(name string) ([][]string, error) {
	packed, err := data.ReadFile("data/" + name + ".csv.gz")
	if err != nil {
		return nil, fmt.Errorf("catalog: trace %q: %w", name, err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("catalog: trace %q: %w", name, err)
	}
	all, err := csv.NewReader(z).ReadAll()
	if err != nil || len(all) < 2 {
		return nil, fmt.Errorf("catalog: trace %q: %d rows: %w", name, len(all), err)
	}
	return all[1:], nil
}

// A request's work in seconds of a GPU of that year: what it reads is done in
// parallel, what it writes token by token.
const (
	readSeconds  = 0.00025
	writeSeconds = 0.025
)

// tokenSize is the size of a job: the latency of its call if that of size 1 is a second.
func tokenSize(read, written string) (float64, error) {
	r, err := strconv.Atoi(read)
	if err != nil {
		return 0, err
	}
	w, err := strconv.Atoi(written)
	if err != nil {
		return 0, err
	}
	return float64(float64(r)*readSeconds) + float64(float64(w)*writeSeconds), nil
}

// azureTrace reads a sample of the Azure LLM inference trace of 2023: TIMESTAMP,
// ContextTokens, GeneratedTokens.
func azureTrace(name string) (*provider.Trace, error) {
	all, err := rows(name)
	if err != nil {
		return nil, err
	}
	t := &provider.Trace{Name: name}
	var first time.Time
	for i, row := range all {
		at, err := time.Parse("2006-01-02 15:04:05.9999999", row[0])
		if err != nil {
			return nil, fmt.Errorf("catalog: trace %q, row %d: %w", name, i+1, err)
		}
		if i == 0 {
			first = at
		}
		size, err := tokenSize(row[1], row[2])
		if err != nil {
			return nil, fmt.Errorf("catalog: trace %q, row %d: %w", name, i+1, err)
		}
		t.Arrivals = append(t.Arrivals, provider.Arrival{At: at.Sub(first), Size: size})
	}
	return t, nil
}

// mooncakeTrace reads a sample of the Mooncake trace: timestamp_ms,
// input_length, output_length, and columns about the prefix cache.
func mooncakeTrace(name string) (*provider.Trace, error) {
	all, err := rows(name)
	if err != nil {
		return nil, err
	}
	t := &provider.Trace{Name: name}
	for i, row := range all {
		ms, err := strconv.Atoi(row[0])
		if err != nil {
			return nil, fmt.Errorf("catalog: trace %q, row %d: %w", name, i+1, err)
		}
		size, err := tokenSize(row[1], row[2])
		if err != nil {
			return nil, fmt.Errorf("catalog: trace %q, row %d: %w", name, i+1, err)
		}
		t.Arrivals = append(t.Arrivals, provider.Arrival{At: time.Duration(ms) * time.Millisecond, Size: size})
	}
	return t, nil
}
