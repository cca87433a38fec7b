package dispatch

import (
	"context"
	"math"
	"slices"
	"time"

	"vyretop/engine"
	"vyretop/engine/submit"
)

// Result is what a dispatch gave.
type Result struct {
	Program *engine.Program // complete, also of a kernel outside the kernel language
	Launch  engine.Launch   // with what the request left open
	Timings []engine.Timing // of each dispatch
	Queue   time.Duration   // from the beginning of dispatches that were queued together to the end of the last; else 0
	Outputs []Output        // of the last one, in ascending order of binding
	Images  []Saved         // likewise

	Speculation *Speculation // nil where the program has a main
	// Undefined is what the first dispatch executed that GLSL does not define, where the backend notices it; repeats that are
	// queued together are not watched.
	Undefined []engine.Undefined

	derived bool // the grid is along x, for the elements of a buffer
}

// Output is a buffer that became a file.
type Output struct {
	Binding uint32 `json:"binding"`
	Name    string `json:"name"` // of the block
	File    string `json:"file"`
	Bytes   uint64 `json:"bytes"`
	SHA256  string `json:"sha256"` // of the bytes, in hexadecimal
}

// Run compiles a program for a backend, runs it over the request's files, and writes the outputs. A
// request that does not fit is an ErrRequest; other errors are the backend's. The pipeline and the
// buffers stay until the backend is closed: after a timeout the kernel may still use them. p is not used
// where the request has a Pair.
func Run(ctx context.Context, b engine.Backend, p *engine.Program, r *Request) (*Result, error) {
	if err := r.checkQueued(); err != nil {
		return nil, err
	}
	pl, err := r.compile(ctx, b, p)
	if err != nil {
		return nil, err
	}
	blocks, err := r.plan(pl.Program(), b.Profile().MaxStorageBufferBytes)
	if err != nil {
		return nil, err
	}
	buffers, err := load(ctx, b, blocks)
	if err != nil {
		return nil, err
	}
	result := &Result{Program: pl.Program()}
	j := &job{request: r, runner: submit.New(b, pl), blocks: blocks, buffers: buffers, config: r.Config}
	if err := j.settle(ctx, result); err != nil {
		return nil, err
	}
	run := j.repeat
	if r.Queued {
		run = func(ctx context.Context, result *Result) error { return j.queue(ctx, b, result) }
	}
	if err := run(ctx, result); err != nil {
		return nil, r.findLoop(ctx, result.Program, err)
	}
	if result.Outputs, err = r.save(ctx, blocks, j.buffers); err != nil {
		return result, err
	}
	result.Images, err = r.saveImages(ctx, blocks, j.buffers)
	return result, err
}

// repeat dispatches one repeat after the other, over the same buffers.
func (j *job) repeat(ctx context.Context, result *Result) error {
	for n := range max(j.request.Repeat, 1) {
		if n > 0 {
			if err := j.reload(ctx); err != nil {
				return err
			}
		}
		timing, err := j.once(ctx, result)
		if err != nil {
			return err
		}
		result.Timings = append(result.Timings, timing)
	}
	return nil
}

// job is a request with everything that its dispatches need.
type job struct {
	request *Request
	runner  *submit.Runner
	blocks  []block
	buffers []engine.Binding
	config  engine.DispatchConfig
}

// settle completes the configuration and tells the launch that it makes, as the backend will.
func (j *job) settle(ctx context.Context, result *Result) (err error) {
	if in := j.request.Indirect; in != nil {
		i := slices.IndexFunc(j.buffers, func(b engine.Binding) bool { return b.Index == in.Binding })
		j.config.Indirect = engine.IndirectGrid{Buffer: j.buffers[i].Buffer, Offset: int(in.Word)}
	}
	result.Launch, err = settled(result.Program, j.blocks, j.buffers, &j.config)
	result.derived = j.config.Grid == [3]uint32{} && j.request.Indirect == nil
	if err != nil || j.request.Indirect == nil {
		return err
	}
	return j.config.Indirect.Buffer.Download(ctx, j.config.Indirect.Offset, result.Launch.Grid[:])
}

// once dispatches the kernel over the buffers and waits for the end.
func (j *job) once(ctx context.Context, result *Result) (engine.Timing, error) {
	s, err := j.runner.Start(ctx, j.resources(), j.config)
	if err != nil {
		return engine.Timing{}, err
	}
	if err := s.Wait(ctx); err != nil {
		return engine.Timing{}, err
	}
	if r, ok := s.Pending().(engine.UndefinedReporter); ok && len(result.Timings) == 0 {
		result.Undefined = r.Undefined()
	}
	if err := result.count(ctx, s, j.config.Speculation); err != nil {
		return engine.Timing{}, err
	}
	return s.Collect(ctx, nil)
}

// settled completes a dispatch as its backend does, which finds whether it is within its own limits. cfg gets the grid of an image.
func settled(p *engine.Program, blocks []block, buffers []engine.Binding, cfg *engine.DispatchConfig) (engine.Launch, error) {
	anything := [3]uint32{math.MaxUint32, math.MaxUint32, math.MaxUint32}
	l := engine.Limits{
		MaxWorkgroups: anything, MaxWorkgroupSize: anything, MaxInvocations: math.MaxUint32,
		Profiles: []string{cfg.Profile}, PersistentThread: true, Cooperative: engine.Known(uint32(math.MaxUint32)),
	}
	plain := *cfg
	plain.Speculation = engine.SpeculationOff // package speculate's to admit
	launch, err := l.Admit(p, buffers, &plain)
	if err != nil || cfg.Grid != [3]uint32{} || cfg.Indirect.Buffer != nil {
		return launch, err
	}
	if grid, ok := imageGrid(blocks, workgroupOf(p, launch.Workgroup)); ok {
		cfg.Grid, plain.Grid = grid, grid
		return l.Admit(p, buffers, &plain)
	}
	return launch, nil
}

// load makes the buffers and fills them.
func load(ctx context.Context, b engine.Backend, blocks []block) ([]engine.Binding, error) {
	var out []engine.Binding
	for _, bl := range blocks {
		buf, err := b.Allocate(ctx, bl.spec.Name, int(bl.bytes/wordBytes), engine.DeviceLocal)
		if err != nil {
			return nil, err
		}
		out = append(out, engine.Binding{Index: bl.spec.Binding, Buffer: buf})
		if bl.image != nil {
			if err := bl.image.upload(ctx, buf, true); err != nil {
				return nil, err
			}
		} else if bl.input != "" {
			if err := upload(ctx, buf, bl); err != nil {
				return nil, err
			}
		}
		if err := bl.apply(ctx, buf); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// reload gives the buffers that the kernel may have written the contents with which the first dispatch began.
func (j *job) reload(ctx context.Context) error {
	for i, bl := range j.blocks {
		var err error
		switch buf := j.buffers[i].Buffer; {
		case bl.spec.Access == engine.ReadOnly:
		case bl.image != nil:
			err = bl.image.upload(ctx, buf, false)
		case bl.input == "":
			err = zero(ctx, buf)
		default:
			err = upload(ctx, buf, bl)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// save writes the outputs.
func (r *Request) save(ctx context.Context, blocks []block, buffers []engine.Binding) ([]Output, error) {
	var out []Output
	for i, bl := range blocks {
		path, wanted := r.Outputs[bl.spec.Binding]
		if !wanted {
			continue
		}
		sum, err := download(ctx, buffers[i].Buffer, path)
		if err != nil {
			return out, err
		}
		out = append(out, Output{Binding: bl.spec.Binding, Name: bl.spec.Name, File: path, Bytes: bl.bytes, SHA256: sum})
	}
	return out, nil
}
