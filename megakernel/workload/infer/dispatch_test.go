package infer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload/infer/gguf"
)

// dispatchHead and dispatchMain make a kernel of the handler that a host dispatches once for each operation: a workgroup is
// a task, and the end of the dispatch is the end of the operation.
const dispatchHead = `#version 450
#define VT_LANES %du
layout(local_size_x = %d) in;
struct Task {
    uint state, opcode, tenant, priority, input_handle, output_handle, param, continuation_pc;
    uint continuation_data, resume_epoch, task_id, parent_task_id, age_ticks, requeue_count, yield_count, flags;
};
layout(std430, binding = 0) readonly buffer Operation { uint operation, operation_layer, operation_tasks; };
bool task_spawn(in Task t, uint opcode, uint priority, uint input_handle, uint output_handle, uint param) { return true; }
void task_yield(inout Task t, uint pc, uint data) { }
void task_done(inout Task t) { }
`

const dispatchMain = `
void main()
{
    Task t = Task(0u, operation, 0u, 0u, gl_WorkGroupID.x / operation_tasks, gl_WorkGroupID.x % operation_tasks, operation_layer, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u);
    if (t.opcode == INFER_ATTEND) {
        infer_attend(t);
    } else if (t.opcode == INFER_EMBED || t.opcode == INFER_SAMPLE) {
        infer_turn(t);
    } else {
        infer_multiply(t);
    }
}
`

// Opcodes of infer.glsl.
const (
	opEmbed = 16 + iota
	opQKV
	opAttend
	opProject
	opGate
	opDown
	opLogits
	opSample
)

// dispatched is an inference without a resident kernel.
type dispatched struct {
	r        *Infer
	backend  engine.Backend
	pipeline engine.Pipeline
	bindings []engine.Binding // without that of the operation
	buffers  []engine.Buffer
	token    []operation // what one position takes
	last     engine.Pending
}

type operation struct {
	code, layer, tasks int
	buffer             engine.Buffer
}

func newDispatched(ctx context.Context, b engine.Backend, r *Infer, lanes int) (*dispatched, error) {
	setup, err := r.Setup(ctx)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf(dispatchHead, lanes, lanes) + setup.Sources[0].Text + dispatchMain
	program, _, err := engine.CompileProgram("dispatched", &source.File{Name: "dispatched.comp", Text: text}, glsl.Options{})
	if err != nil {
		return nil, err
	}
	d := &dispatched{r: r, backend: b}
	if d.pipeline, err = b.Compile(ctx, program); err != nil {
		return nil, err
	}
	for _, s := range setup.Buffers {
		placement := engine.DeviceLocal
		if s.HostVisible {
			placement = engine.HostVisible
		}
		buffer, err := d.allocate(ctx, s.Name, s.Words, s.Initial, placement)
		if err != nil {
			return nil, errors.Join(err, d.close())
		}
		d.bindings = append(d.bindings, engine.Binding{Index: s.Binding, Buffer: buffer})
		if s.HostVisible {
			words := buffer.Words()
			r.text.Store(&words)
		}
	}
	return d, d.operations(ctx)
}

func (d *dispatched) allocate(ctx context.Context, name string, words int, initial []uint32, placement engine.Placement) (engine.Buffer, error) {
	b, err := d.backend.Allocate(ctx, name, words, placement)
	if err != nil {
		return nil, err
	}
	d.buffers = append(d.buffers, b)
	if len(initial) == 0 {
		return b, nil
	}
	return b, b.Upload(ctx, 0, initial)
}

// operations lists embed, and then those of a position.
func (d *dispatched) operations(ctx context.Context) error {
	p := d.r.plan
	tiles := func(matrix int) int { return int(p.list[8*matrix+7]) }
	list := []operation{{code: opEmbed, tasks: 1}}
	for l := range p.m.layers {
		list = append(list, operation{opQKV, l, tiles(4 * l), nil}, operation{opAttend, l, p.m.heads * p.batch, nil},
			operation{opProject, l, tiles(4*l + 1), nil}, operation{opGate, l, tiles(4*l + 2), nil}, operation{opDown, l, tiles(4*l + 3), nil})
	}
	list = append(list, operation{opLogits, 0, p.tiles, nil}, operation{opSample, 0, 1, nil})
	for i, o := range list {
		var err error
		if list[i].buffer, err = d.allocate(ctx, fmt.Sprint("operation ", i), 3, []uint32{uint32(o.code), uint32(o.layer), uint32(o.tasks)}, engine.DeviceLocal); err != nil {
			return err
		}
	}
	d.token = list
	return nil
}

func (d *dispatched) start(ctx context.Context, o operation) (err error) {
	bindings := append(slices.Clip(d.bindings), engine.Binding{Index: 0, Buffer: o.buffer})
	d.last, err = d.pipeline.Start(ctx, bindings, engine.DispatchConfig{Grid: [3]uint32{uint32(o.tasks * d.r.plan.batches()), 1, 1}})
	return err
}

// run writes all texts. It waits for the device once for each token, as a host that looks for the end of texts does.
func (d *dispatched) run(ctx context.Context) error {
	if err := d.start(ctx, d.token[0]); err != nil {
		return err
	}
	shortest, positions := len(d.r.plan.prompts[0]), 0
	for _, p := range d.r.plan.prompts {
		shortest, positions = min(shortest, len(p)), max(positions, len(p)-1+d.r.opt.tokens)
	}
	for position := range min(positions, d.r.model.context) {
		for _, o := range d.token[1:] {
			if o.code == opLogits && position+1 < shortest {
				continue
			}
			if err := d.start(ctx, o); err != nil {
				return err
			}
		}
		if _, err := d.last.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (d *dispatched) close() error {
	err := d.pipeline.Close()
	for _, b := range d.buffers {
		err = errors.Join(err, b.Free())
	}
	return err
}

// TestDispatchesWriteTheSameText: one dispatch for each operation gives the bits that the resident kernel gives.
func TestDispatchesWriteTheSameText(t *testing.T) {
	for name, open := range backendtest.All {
		t.Run(name, func(t *testing.T) {
			b := open(t)
			if backendtest.CompilesSlowly(b) {
				t.Skip("the driver compiles the handler for seconds: -everyvariant")
			}
			o := Options{Prompt: "ab", Given: true, tokens: 4, batch: 2, sequences: 3}
			m := model(t, small(gguf.Q8).file(1))
			want := run(t, name, m, o, rig.Shape{})
			r := New(rig.Manifest(t, "infer"), o)
			r.given = m
			d, err := newDispatched(rig.Deadline(t), b, r, 8)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(d.run(rig.Deadline(t)), d.close()); err != nil {
				t.Fatal(err)
			}
			if got := r.Result().(Result); got.Digest != want.Digest {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

// BenchmarkTokensPerSecond writes texts with the shipped model on each backend, in a resident kernel and with one dispatch
// for each operation, both of the same handler. The metric tokens/s counts those that went through the model.
func BenchmarkTokensPerSecond(b *testing.B) {
	for name, open := range backendtest.All {
		o := Options{tokens: 100, batch: 4}
		if name == "reference" {
			o.tokens = 4
		}
		for _, sequences := range []int{1, 4, 16} {
			o.sequences = sequences
			b.Run(fmt.Sprintf("%s/%d/resident", name, sequences), func(b *testing.B) { benchResident(b, open(b), o) })
			b.Run(fmt.Sprintf("%s/%d/dispatch", name, sequences), func(b *testing.B) { benchDispatched(b, open(b), o) })
		}
	}
}

func benchResident(b *testing.B, backend engine.Backend, o Options) {
	shape := rig.Shape{}
	if backend.Profile().SoftwareDevice.Or(false) {
		shape.Workers = 1 // as a run has there
	}
	sum, n := 0.0, 0.0
	for b.Loop() {
		out, err := rig.Run(b.Context(), backend, New(rig.Manifest(b, "infer"), o), shape)
		if err != nil || !out.Verification.OK {
			b.Fatal(out.Verification, err)
		}
		sum, n = sum+out.Result.(Result).PerSecond, n+1
	}
	b.ReportMetric(sum/n, "tokens/s")
}

func benchDispatched(b *testing.B, backend engine.Backend, o Options) {
	tokens, seconds := 0, 0.0
	for b.Loop() {
		r := New(rig.Manifest(b, "infer"), o)
		d, err := newDispatched(b.Context(), backend, r, resident.DefaultWorkgroupSize(backend.Profile()))
		if err != nil {
			b.Fatal(err)
		}
		if err := d.start(b.Context(), d.token[0]); err != nil { // compiles it to the end
			b.Fatal(err)
		}
		if _, err := d.last.Wait(b.Context()); err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		if err := d.run(b.Context()); err != nil {
			b.Fatal(err)
		}
		seconds += time.Since(began).Seconds()
		v, err := r.Verify(b.Context())
		if err := errors.Join(err, d.close()); err != nil || !v.OK {
			b.Fatal(v, err)
		}
		tokens += int((*r.text.Load()).Load(textProgress))
	}
	b.ReportMetric(float64(tokens)/seconds, "tokens/s")
}
