package grep

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"vyretop/megakernel/workload"
)

// verifyBytes is how much is counted again: all of a small tree, evenly chosen files of a larger one.
const verifyBytes = 64 << 20

// Verify implements workload.Workload: it counts the lines of files again with package regexp, one line at a
// time. A file that has been changed since is left out, and counted.
func (g *Grep) Verify(ctx context.Context) (workload.Verification, error) {
	files, changed, read := 0, 0, int64(0)
	for _, f := range g.sample() {
		if ctx.Err() != nil {
			return workload.Verification{}, context.Cause(ctx)
		}
		text, same := g.tree.reread(f)
		if !same {
			changed++
			continue
		}
		want, err := countLines(ctx, g.automaton, text)
		if err != nil {
			return workload.Verification{}, err
		}
		if f.lines != int64(want) {
			return workload.Verification{Faulted: g.faulted.Load(), Detail: fmt.Sprintf("%s: %d lines, package regexp finds %d", f.path, f.lines, want)}, nil
		}
		files++
		read += f.size
	}
	r := g.report()
	detail := fmt.Sprintf("counted again with package regexp: %d of %d files, %d of %d bytes", files, r.Files, read, r.Bytes)
	if changed > 0 {
		detail += fmt.Sprintf("; %d changed since they were read", changed)
	}
	return workload.Verification{OK: files > 0 || r.Files == 0 || changed > 0, Faulted: g.faulted.Load(), Detail: detail}, nil
}

// sample chooses the files to check.
func (g *Grep) sample() (out []*file) {
	step := (g.tree.bytes + verifyBytes - 1) / verifyBytes
	at, next := int64(0), int64(0)
	for _, f := range g.tree.files {
		if f.searched && at >= next && f.size <= verifyBytes {
			out = append(out, f)
			next = at + f.size*step
		}
		at += f.size
	}
	return out
}

// countLines counts the lines of a text that match, until the context ends.
func countLines(ctx context.Context, a *Automaton, text []byte) (lines int, err error) {
	for line := range bytes.Lines(text) {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		if a.matches(bytes.TrimSuffix(line, []byte("\n"))) {
			lines++
		}
	}
	return lines, nil
}

// reread reads a file again; same is false when it is not as it was when the run began.
func (t *tree) reread(f *file) (text []byte, same bool) {
	opened, err := t.Root.Open(f.path)
	if err != nil {
		return nil, false
	}
	defer opened.Close()
	text = make([]byte, f.size)
	if _, err = io.ReadFull(opened, text); err != nil {
		return nil, false
	}
	info, err := opened.Stat()
	return text, err == nil && info.Size() == f.size && info.ModTime().Equal(f.modified)
}
