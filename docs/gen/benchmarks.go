package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"vyretop/megakernel/bench"
)

// benchmarks writes docs/benchmarks.md from the reports in a folder: every NAME.json, with the notes in NAME.md where there
// are some.
func benchmarks(folder, out string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return err
	}
	var list []bench.Figures
	for _, file := range files {
		f, err := readReport(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		list = append(list, f)
	}
	var page bytes.Buffer
	if err := bench.WriteMarkdown(&page, list); err != nil {
		return err
	}
	return os.WriteFile(out, page.Bytes(), 0o644)
}

func readReport(file string) (bench.Figures, error) {
	f := bench.Figures{File: "docs/bench/" + filepath.Base(file), Report: &bench.Report{}}
	text, err := os.ReadFile(file)
	if err != nil {
		return f, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(f.Report); err != nil {
		return f, err
	}
	if f.Report.Schema != bench.Schema {
		return f, fmt.Errorf("its schema is %q. Fix: write it with vyretop bench --json", f.Report.Schema)
	}
	notes, err := os.ReadFile(strings.TrimSuffix(file, ".json") + ".md")
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	f.Notes = string(notes)
	return f, err
}
