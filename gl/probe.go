//go:build cgo && egl

package gl

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"time"

	"vyretop/engine"
)

//go:embed probes/*.comp
var probeTexts embed.FS

// probeLimit bounds one probe, for a device that hangs. All probe kernels end by themselves: their loops are bounded
// below the least loop limit known (65,535 iterations, llvmpipe). They take milliseconds, but with too little time on
// a busy host a device would be taken for one that loops without limit, and lose work.
const probeLimit = 30 * time.Second

// probes fill in the profile, in this order: later ones use what earlier ones found.
var probes = []struct {
	name string
	run  func(*Backend, context.Context) error
}{
	{"loop-iteration limit", (*Backend).probeLoops},
	{"host and device see each other", (*Backend).probePingPong},
	{"dispatch and fence", (*Backend).probeFence},
	{"concurrent workgroups", (*Backend).probeConcurrency},
	{"invocations in step", (*Backend).probeLockstep},
	{"subgroups", probeSubgroups},
	{"device clock", (*Backend).probeClock},
	{"device unit", (*Backend).probeUnit},
	{"placement", (*Backend).probePlacement},
	{"grid barrier", (*Backend).probeGridSync},
	{"indirect dispatch", (*Backend).probeIndirect},
	{"capabilities", (*Backend).settleCapabilities},
}

// probe measures what no query tells. What cannot be measured stays absent, with a message.
func (b *Backend) probe(ctx context.Context) {
	for _, p := range probes {
		err := func() error {
			ctx, cancel := context.WithTimeout(ctx, probeLimit)
			defer cancel()
			return p.run(b, ctx)
		}()
		if err != nil {
			b.messages.add(Message{Source: "probe", Severity: "medium", Text: p.name + ": " + err.Error()})
		}
	}
}

// lab is one probe kernel with its buffers.
type lab struct {
	ctx      context.Context
	pipeline engine.Pipeline
	buffers  []engine.Buffer
}

// labBuffer is a buffer that a probe wants; its binding is its place in the list.
type labBuffer struct {
	words int
	class engine.Placement
}

// lab compiles a probe's kernel and allocates its buffers.
func (b *Backend) lab(ctx context.Context, file string, local uint32, want ...labBuffer) (*lab, error) {
	p, err := probeProgram(file, local, len(want))
	if err != nil {
		return nil, err
	}
	return b.labOf(ctx, p, want...)
}

// labOf is lab for a kernel that is not a file.
func (b *Backend) labOf(ctx context.Context, p *engine.Program, want ...labBuffer) (l *lab, err error) {
	l = &lab{ctx: ctx}
	if l.pipeline, err = b.Compile(ctx, p); err != nil {
		return nil, err
	}
	for i, w := range want {
		buf, err := b.Allocate(ctx, fmt.Sprintf("%s %d", p.Name, i), w.words, w.class)
		if err != nil {
			return nil, errors.Join(err, l.close())
		}
		l.buffers = append(l.buffers, buf)
	}
	return l, nil
}

func probeProgram(file string, local uint32, buffers int) (*engine.Program, error) {
	text, err := probeTexts.ReadFile("probes/" + file + ".comp")
	if err != nil {
		return nil, err
	}
	p := &engine.Program{Name: "probe " + file, Text: string(text), WorkgroupSize: [3]uint32{local, 1, 1}}
	for i := range buffers {
		p.Buffers = append(p.Buffers, engine.BufferSpec{Name: fmt.Sprint(i), Binding: uint32(i), MinWords: 1})
	}
	return p, nil
}

// start starts a row of workgroups.
func (l *lab) start(groups uint32) (engine.Pending, error) {
	bind := make([]engine.Binding, len(l.buffers))
	for i, buf := range l.buffers {
		bind[i] = engine.Binding{Index: uint32(i), Buffer: buf}
	}
	return l.pipeline.Start(l.ctx, bind, engine.DispatchConfig{Grid: [3]uint32{groups, 1, 1}})
}

// run runs a row of workgroups to its end.
func (l *lab) run(groups uint32) (engine.Timing, error) {
	p, err := l.start(groups)
	if err != nil {
		return engine.Timing{}, err
	}
	return p.Wait(l.ctx)
}

// close gives everything back. A kernel that was not waited for keeps its buffers until the
// backend closes.
func (l *lab) close() error {
	err := l.pipeline.Close()
	for _, buf := range l.buffers {
		err = errors.Join(err, buf.Free())
	}
	return err
}
