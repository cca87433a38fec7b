package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// outcome is what became of a shader.
type outcome string

const (
	equal     outcome = "equal"     // both backends write the same
	differ    outcome = "differ"    // although the reference backend found nothing undefined
	undefined outcome = "undefined" // the inputs made here lead to what GLSL leaves open
	outside   outcome = "outside"   // the kernel language
	malformed outcome = "malformed" // or what it includes is missing
	failed    outcome = "failed"    // compiled, but not run
	missing   outcome = "missing"   // not fetched
)

var outcomes = []outcome{equal, undefined, differ, failed, outside, malformed, missing}

// runner runs shaders with made-up inputs.
type runner struct {
	program, folder, from string
	debian                *debian
	counts                map[outcome]int
}

// outsideKind is how the program calls what is outside the kernel language.
const outsideKind = "outside the kernel language"

// Bounds of a run: words of a buffer, and time.
const (
	inputWords = 1 << 14
	patience   = 60 * time.Second
)

// shader fetches a shader and runs it on both backends.
func (r *runner) shader(ctx context.Context, s *shader) (what outcome, detail string) {
	file, err := r.fetch(ctx, s)
	if err != nil {
		return missing, ": " + err.Error()
	}
	var c checked
	flags := s.flags
	for _, folder := range above(filepath.ToSlash(s.path)) {
		flags = append(flags, "--include", filepath.Join(strings.TrimSuffix(file, filepath.FromSlash(s.path)), folder))
	}
	if err := r.ask(ctx, &c, append([]string{"check", file, "--json"}, flags...)...); err != nil && len(c.Diagnostics) == 0 {
		return failed, ": " + err.Error()
	}
	for _, d := range c.Diagnostics {
		if d.Severity == "error" {
			if what = malformed; d.Kind == outsideKind {
				what = outside
			}
			return what, ": " + d.Message
		}
	}
	reference, err := r.dispatch(ctx, file, &c, "reference", flags)
	if err != nil {
		return failed, ": " + err.Error()
	}
	device, err := r.dispatch(ctx, file, &c, "gl", flags)
	switch {
	case err != nil:
		return failed, " on gl: " + err.Error()
	case len(reference.Undefined) > 0:
		return undefined, ""
	case fmt.Sprint(reference.Outputs) == fmt.Sprint(device.Outputs):
		return equal, ""
	}
	var f found
	if err := r.ask(ctx, &f, r.shape([]string{"check", "--run", file, "--json"}, &c, flags)...); err == nil || len(f.Findings) == 0 {
		return differ, ""
	}
	return undefined, ": " + f.Findings[0].Message
}

// found is what the checkers say of a shader whose results differ, such as that they depend on the order of invocations.
type found struct{ Findings []struct{ Message string } }

// shape appends the flags that give a shader its inputs and its size.
func (r *runner) shape(args []string, c *checked, flags []string) []string {
	args = append(append(args, "--grid", "2,2,1", "--subgroup", "8"), flags...)
	for _, b := range c.Program.Buffers {
		at := fmt.Sprint(b.Binding, "=")
		if b.Image != "" {
			args = append(args, "--image", b.Name+"="+imageSize(b.Image))
			continue
		}
		args = append(args, "--in", at+filepath.Join(r.folder, inputName))
		if b.Bytes > 4*inputWords {
			args = append(args, "--size", at+fmt.Sprint(b.Bytes))
		}
	}
	return args
}

// checked is what the program says of a shader.
type checked struct {
	Diagnostics []struct{ Severity, Kind, Message string }
	Program     struct {
		Buffers []struct {
			Binding int
			Name    string
			Access  string
			Bytes   int `json:"min_bytes"`
			Image   string
		}
	}
}

// dispatched is what a dispatch wrote.
type dispatched struct {
	Outputs []struct {
		Binding int
		SHA256  string
	}
	Undefined []struct{ At string }
}

func (r *runner) dispatch(ctx context.Context, file string, c *checked, backend string, flags []string) (d dispatched, err error) {
	if err := r.input(); err != nil {
		return d, err
	}
	args := r.shape([]string{"dispatch", file, "--json", "--backend", backend}, c, flags)
	for _, b := range c.Program.Buffers {
		if b.Image == "" && b.Access != "read-only" {
			args = append(args, "--out", fmt.Sprint(b.Binding, "=", filepath.Join(r.folder, fmt.Sprint("out", b.Binding))))
		}
	}
	return d, r.ask(ctx, &d, args...)
}

// imageSize is a size that an image of a type can have.
func imageSize(kind string) string {
	switch _, form, _ := strings.Cut(strings.Replace(kind, "sampler", "image", 1), "image"); strings.TrimSuffix(form, "Shadow") {
	case "1D", "Buffer":
		return "64x1"
	case "2D", "2DRect":
		return "64x64"
	case "1DArray":
		return "64x4"
	}
	return "16x16x6"
}

// inputName is the file of the inputs.
const inputName = "words"

// input writes a file of small numbers: as an index or a size they are sensible more often than others.
func (r *runner) input() error {
	var b []byte
	for i := range uint32(inputWords) {
		b = binary.LittleEndian.AppendUint32(b, i*2654435761>>28)
	}
	return os.WriteFile(filepath.Join(r.folder, inputName), b, 0o644)
}

// ask runs the program and reads the document that it prints.
func (r *runner) ask(ctx context.Context, into any, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.program, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	text, err := cmd.Output()
	if len(text) > 0 {
		if bad := json.Unmarshal(text, into); bad != nil {
			return bad
		}
	}
	if err != nil {
		line, _, _ := strings.Cut(said.String(), "\n")
		return fmt.Errorf("%w: %s", err, line)
	}
	return nil
}

// summary prints how many shaders there are of each outcome, and which share is taken.
func (r *runner) summary(out io.Writer, all int) {
	for _, o := range outcomes {
		fmt.Fprintf(out, "%6d %s\n", r.counts[o], o)
	}
	if there := all - r.counts[missing]; there > 0 {
		taken := r.counts[equal] + r.counts[undefined] + r.counts[differ]
		fmt.Fprintf(out, "%d of %d run on both backends (%d %%), %d of these equal\n", taken, there, 100*taken/there, r.counts[equal])
	}
}
