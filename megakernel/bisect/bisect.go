package bisect

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/engine/reference"
	"vyretop/fixtures"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/replay"
	"vyretop/megakernel/run"
)

// Request says what is compared.
type Request struct {
	A, B      string
	Recording string // whose inputs are executed; "" for A or B, or a run of A
	// Note is told what takes long; the function that it returns is called when that is over.
	Note func(text string) (done func())
}

// ErrSides is matched by errors about sides that cannot be compared.
const ErrSides fault.Kind = "the two sides cannot be compared"

// Run finds where the two sides come to different results. Errors are ErrSides, replay.ErrHandlers, replay.ErrNotExecutable, ErrProgram,
// and those of workloads and files.
func (r *Request) Run(ctx context.Context) (out *replay.Bisection, err error) {
	folder, err := os.MkdirTemp("", "vyretop-bisect-")
	if err != nil {
		return nil, plainfile.Failure("create", "a folder for recordings", err, plainfile.Fix(err))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	name, file, err := r.inputs(ctx, folder)
	if err != nil {
		return nil, err
	}
	rec, err := inspect.OpenRecording(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	defer r.Note("bisecting " + name)()
	switch programs(r.A, r.B) {
	case 2:
		v := replay.Versions{A: r.A, B: r.B, Folder: folder, Verify: verifyBy}
		return v.Bisect(ctx, name, rec)
	case 1:
		return nil, &fault.Error{Kind: ErrSides, Detail: "one of " + r.A + " and " + r.B + " is a program", Fix: "compare a program with a program, and handlers with handlers"}
	}
	a, err := HandlersOf(ctx, r.A)
	if err != nil {
		return nil, err
	}
	b, err := HandlersOf(ctx, r.B)
	if err != nil {
		return nil, err
	}
	return replay.Bisect(ctx, name, rec, a, b)
}

// inputs names the recording whose inputs are executed, and its file.
func (r *Request) inputs(ctx context.Context, folder string) (name, file string, err error) {
	for _, name := range []string{r.Recording, r.A, r.B} {
		if name != "" && (name == r.Recording || fixtures.IsRecording(name)) {
			return name, name, nil
		}
	}
	if programs(r.A) > 0 || isHandlerFile(r.A) {
		return "", "", &fault.Error{Kind: ErrSides, Detail: "there are no inputs", Fix: "give a recording with --recording FILE; vyretop run WORKLOAD --record FILE makes one"}
	}
	file = filepath.Join(folder, "inputs.mcap")
	defer r.Note("running " + r.A + " on the reference interpreter")()
	return "a run of " + r.A, file, record(ctx, r.A, file)
}

// record runs a workload with its default flags on the reference interpreter.
func record(ctx context.Context, name, file string) error {
	d, err := run.OpenWorkload(name)
	if err != nil {
		return err
	}
	w, err := d.New(nil)
	if err != nil {
		return err
	}
	b, err := reference.Open(reference.Options{})
	if err != nil {
		return err
	}
	r, err := run.Start(ctx, run.Config{Workload: w, Backend: b, Record: file})
	if err != nil {
		return errors.Join(err, b.Close())
	}
	if err = r.Work(ctx); err == nil {
		_, err = r.Finish(ctx, false)
	}
	return errors.Join(err, r.Close(), b.Close())
}
