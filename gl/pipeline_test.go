//go:build cgo && egl

package gl

import (
	"errors"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/glsl/source"
)

// TestCompileErrorNamesTheUsersLine compiles a text with a mistake on line 4 that stands for line 40
// of a user's file.
func TestCompileErrorNamesTheUsersLine(t *testing.T) {
	b := testBackend(t)
	p := program("broken", "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {\n\tuint x = nowhere;\n}\n", 1)
	p.LinePos = func(line int) source.Pos { return source.Pos{File: "user.glsl", Line: line * 10, Col: 1} }
	_, err := b.Compile(within(t), p)
	e, ok := errors.AsType[*engine.Error](err)
	if !ok || !errors.Is(err, engine.ErrKernelCompileFailed) {
		t.Fatalf("got %v", err)
	}
	if !strings.Contains(e.Log, "user.glsl:40: ") || !strings.Contains(e.Log, "nowhere") {
		t.Errorf("the log does not name line 40 and the identifier:\n%s", e.Log)
	}
}

// TestLinkErrorIsACompileError covers a text that compiles alone but cannot be linked.
func TestLinkErrorIsACompileError(t *testing.T) {
	b := testBackend(t)
	p := program("unlinked", "#version 450\nlayout(local_size_x = 1) in;\nvoid absent();\nvoid main() { absent(); }\n", 1)
	if _, err := b.Compile(within(t), p); !errors.Is(err, engine.ErrKernelCompileFailed) {
		t.Errorf("got %v", err)
	}
}

// TestProgramAndTextMustAgree covers what a Program says wrongly of its text.
func TestProgramAndTextMustAgree(t *testing.T) {
	b := testBackend(t)
	for name, p := range map[string]*engine.Program{
		"workgroup size":   program("squares", squares, 32, "Data"),
		"unlisted buffer":  program("squares", squares, 64),
		"zero size":        {Name: "zero", Text: squares, WorkgroupSize: [3]uint32{64, 0, 1}},
		"size above limit": program("squares", squares, 1<<20, "Data"),
		"too many lanes":   {Name: "many", Text: squares, WorkgroupSize: [3]uint32{64, 64, 64}},
		"binding above limit": {Name: "far", Text: squares, WorkgroupSize: [3]uint32{64, 1, 1},
			Buffers: []engine.BufferSpec{{Name: "Data", Binding: 1 << 20, MinWords: 1}}},
		"too many blocks": {Name: "blocks", Text: squares, WorkgroupSize: [3]uint32{64, 1, 1},
			Buffers: make([]engine.BufferSpec, 10_000)},
		"shared binding": {Name: "twice", Text: squares, WorkgroupSize: [3]uint32{64, 1, 1},
			Buffers: []engine.BufferSpec{{Name: "A", MinWords: 1}, {Name: "B", MinWords: 1}}},
	} {
		if _, err := b.Compile(within(t), p); !errors.Is(err, engine.ErrInvalidProgram) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestBadDispatchesAreRefused covers every check that Start makes before it does anything.
func TestBadDispatchesAreRefused(t *testing.T) {
	b, other := testBackend(t), testBackend(t)
	p := squaresProgram()
	p.Buffers[0].MinWords = 4
	pl := compile(t, b, p)
	good := allocate(t, b, 64, engine.HostVisible)
	small := allocate(t, b, 3, engine.HostVisible)
	foreign := allocate(t, other, 64, engine.HostVisible)
	bind := func(list ...engine.Binding) []engine.Binding { return list }
	for name, c := range map[string]struct {
		bindings []engine.Binding
		grid     [3]uint32
	}{
		"zero grid":       {bindings(good), [3]uint32{1, 0, 1}},
		"grid too large":  {bindings(good), [3]uint32{1, 1, 1<<32 - 1}},
		"missing binding": {nil, [3]uint32{1, 1, 1}},
		"nil buffer":      {bind(engine.Binding{}), [3]uint32{1, 1, 1}},
		"bound twice":     {bind(engine.Binding{Buffer: good}, engine.Binding{Buffer: good}), [3]uint32{1, 1, 1}},
		"unknown binding": {bind(engine.Binding{Buffer: good}, engine.Binding{Index: 5, Buffer: good}), [3]uint32{1, 1, 1}},
		"too small":       {bindings(small), [3]uint32{1, 1, 1}},
		"foreign buffer":  {bindings(foreign), [3]uint32{1, 1, 1}},
	} {
		pending, err := pl.Start(t.Context(), c.bindings, engine.DispatchConfig{Grid: c.grid})
		if pending != nil || !errors.Is(err, engine.ErrInvalidProgram) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	wait(t, start(t, pl, 1, good))
}

// TestClosedHandlesAreRefused covers a closed pipeline and everything after the backend's Close.
func TestClosedHandlesAreRefused(t *testing.T) {
	b, err := Open(within(t), Options{Device: testDevice(t), SkipProbes: true})
	check(t, err)
	buf, err := b.Allocate(within(t), "left", 64, engine.HostVisible)
	check(t, err)
	kept, err := b.Compile(within(t), squaresProgram())
	check(t, err)
	closed, err := b.Compile(within(t), squaresProgram())
	check(t, err)
	check(t, closed.Close())
	if _, err := closed.Start(t.Context(), bindings(buf), row(1)); !errors.Is(err, engine.ErrInvalidProgram) {
		t.Errorf("start of a closed pipeline: %v", err)
	}
	if err := closed.Close(); !errors.Is(err, engine.ErrInvalidProgram) {
		t.Errorf("second close: %v", err)
	}
	check(t, b.Close())
	_, startErr := kept.Start(t.Context(), bindings(buf), row(1))
	_, compileErr := b.Compile(t.Context(), squaresProgram())
	_, allocErr := b.Allocate(t.Context(), "late", 1, engine.HostVisible)
	for name, err := range map[string]error{"start": startErr, "compile": compileErr, "allocate": allocErr,
		"upload": buf.Upload(t.Context(), 0, []uint32{1}), "free": buf.Free()} {
		if !errors.Is(err, engine.ErrPoisoned) {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
	if buf.Words() != nil {
		t.Error("a view outlived its backend")
	}
	if err := b.Close(); !errors.Is(err, engine.ErrPoisoned) {
		t.Errorf("second close: %v", err)
	}
}

// TestIdentityTellsBackendsApart expects distinct ids and equal devices.
func TestIdentityTellsBackendsApart(t *testing.T) {
	a, b := testBackend(t), testBackend(t)
	if a.Identity().ID == b.Identity().ID || a.Identity().Device != b.Identity().Device {
		t.Errorf("%+v\n%+v", a.Identity(), b.Identity())
	}
	pl := compile(t, a, squaresProgram())
	if want := a.Identity().ID + ":" + pl.Program().Fingerprint(); pl.ID() != want {
		t.Errorf("pipeline id %q, want %q", pl.ID(), want)
	}
	for name, v := range map[string]string{"version": a.Identity().Version, "renderer": a.Identity().Renderer, "driver": a.Identity().Driver} {
		if v == "" {
			t.Errorf("no %s", name)
		}
	}
}

// TestDebugContextNamesTheCall provokes an OpenGL error with checks after each call.
func TestDebugContextNamesTheCall(t *testing.T) {
	b := openFor(t, Options{Device: testDevice(t), SkipProbes: true, Debug: true})
	pl := compile(t, b, squaresProgram())
	buf := allocate(t, b, 64, engine.HostVisible)
	wait(t, start(t, pl, 1, buf))
	err := b.do(t.Context(), "misuse", func(s *glState) error {
		s.api.UseProgram(0xfffffff0)
		return s.api.Err("misuse")
	})
	if err == nil || !strings.Contains(err.Error(), "glUseProgram") {
		t.Errorf("got %v, want an error of glUseProgram", err)
	}
	if kept, _ := b.Messages(); len(kept) == 0 {
		t.Error("the driver's message about the misuse was not collected")
	}
}
