package bench

import (
	"context"
	"embed"
	"errors"
	"fmt"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

//go:embed kernels/*.comp
var kernels embed.FS

// The placement of the buffers of a plain kernel.
type plainBuffer struct {
	words int
	class engine.Placement
}

// plain is a comparison kernel with its buffers; their bindings are their places in the list.
type plain struct {
	pipeline engine.Pipeline
	buffers  []engine.Buffer
}

// plain compiles a comparison kernel for a workgroup size and allocates its buffers.
func (r *suite) plain(ctx context.Context, file string, lanes int, want ...plainBuffer) (*plain, error) {
	text, err := kernels.ReadFile("kernels/" + file)
	if err != nil {
		return nil, err
	}
	program, _, err := engine.CompileProgram(file, &source.File{Name: file, Text: string(text)}, glsl.Options{
		Options: preprocess.Options{Defines: []preprocess.Define{{Name: "LANES", Body: fmt.Sprint(lanes)}}},
	})
	if err != nil {
		return nil, err
	}
	p := &plain{}
	if p.pipeline, err = r.backend.Compile(ctx, program); err != nil {
		return nil, err
	}
	for i, w := range want {
		b, err := r.backend.Allocate(ctx, fmt.Sprintf("%s %d", file, i), w.words, w.class)
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		p.buffers = append(p.buffers, b)
	}
	return p, nil
}

// bindings binds the first n buffers.
func (p *plain) bindings(n int) []engine.Binding {
	out := make([]engine.Binding, n)
	for i := range out {
		out[i] = engine.Binding{Index: uint32(i), Buffer: p.buffers[i]}
	}
	return out
}

// close gives everything back; what still runs keeps the device until it ends by itself.
func (p *plain) close() error {
	err := p.pipeline.Close()
	for _, b := range p.buffers {
		err = errors.Join(err, b.Free())
	}
	return err
}
