//go:build cgo && egl

package gl

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"

	"vyretop/engine"
)

// textOf is what a process that compiles gets: one shader that a driver is to compile.
type textOf struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// CompileApart implements engine.ApartCompiler with the process of Options.Apart, which calls CompileTexts.
func (b *Backend) CompileApart(ctx context.Context, p *engine.Program) error {
	op := fmt.Sprintf("compile %q in a process of its own", p.Name)
	if b.apart == nil || !b.gl.programs.keeps() {
		return unsupported(op, "compiling in another process", "its programs could not be handed over", "compile in this process, or store programs: unset "+ProgramCacheVariable)
	}
	missing, err := notStored(ctx, b, op, p)
	if err != nil || len(missing) == 0 {
		return err
	}
	texts, err := json.Marshal(missing)
	if err != nil {
		return fmt.Errorf("BUG: texts of a program: %w", err) // plain data
	}
	return compileIn(ctx, op, b.apart(), b.gl.programs.dir, texts)
}

// notStored lists the parts of a program that are not on disk.
func notStored(ctx context.Context, b *Backend, op string, p *engine.Program) (list []textOf, err error) {
	exe, err := divide(ctx, b, op, p, choice{})
	if err != nil {
		return nil, err
	}
	err = b.do(ctx, op, func(s *glState) error {
		for _, part := range exe.staged.Parts {
			if !s.programs.stores(part) {
				list = append(list, textOf{part.Name, part.Text})
			}
		}
		return nil
	})
	return list, err
}

// compileIn has a process compile texts and store the programs in dir, and waits for it unless ctx ends: then the process continues, so that the programs are there
// the next time.
func compileIn(ctx context.Context, op string, c *exec.Cmd, dir string, texts []byte) error {
	said := &bytes.Buffer{}
	c.Stdin, c.Stderr = bytes.NewReader(texts), said
	c.Env = append(os.Environ(), ProgramCacheVariable+"="+dir)
	inOwnSession(c)
	if err := c.Start(); err != nil {
		return apartFailure(op, "the process could not be started", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return apartFailure(op, bounded(said.String()), err)
		}
		return nil
	case <-ctx.Done():
		return compilesOn(ctx, op)
	}
}

// apartFailure is the error of a process that compiled nothing: a crash of the driver's compiler, say.
func apartFailure(op, said string, cause error) error {
	e := fail(engine.CodeKernelCompileFailed, op, cause.Error(), "compile in this process")
	e.Log, e.Err = said, cause
	return e
}

// mostText is how much text a process compiles at most, in bytes; what is cut off there is no JSON.
const mostText = 64 << 20

// longestSaid is how much of what a process says is kept, in bytes.
const longestSaid = 4096

func bounded(s string) string { return s[max(0, len(s)-longestSaid):] }

// CompileTexts compiles the shaders that CompileApart of another process sends, and stores them where Options or the environment
// say. Errors: those of Open and Compile, and an engine.ErrUnsupportedFeature where nothing can be stored.
func CompileTexts(ctx context.Context, o Options, r io.Reader) (err error) {
	var texts []textOf
	whole, err := io.ReadAll(io.LimitReader(r, mostText))
	if err == nil {
		err = json.Unmarshal(whole, &texts)
	}
	if err != nil {
		return invalid("read what is to be compiled", err.Error(), "let vyretop start this process")
	}
	o.SkipProbes = true
	b, err := Open(ctx, o)
	if err != nil {
		return err
	}
	defer func() {
		if closed := b.Close(); err == nil {
			err = closed
		}
	}()
	for _, t := range texts {
		if err := compileText(ctx, b, t); err != nil {
			return err
		}
	}
	return nil
}

func compileText(ctx context.Context, b *Backend, t textOf) error {
	op := fmt.Sprintf("compile %q", t.Name)
	p := &engine.Program{Name: t.Name, Text: t.Text}
	l, err := b.program(ctx, op, p)
	if err != nil {
		return err
	}
	return b.do(ctx, op, func(s *glState) error {
		defer s.programs.release(&s.api, l)
		if !s.programs.stores(p) {
			return unsupported(op, "storing programs", "the compiled program could not be stored", "make the folder of "+ProgramCacheVariable+" writable")
		}
		return nil
	})
}
