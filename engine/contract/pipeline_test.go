package contract

import (
	"errors"
	"testing"

	"vyretop/engine"
	"vyretop/engine/submit"
)

// TestPipelineRepeats runs one pipeline many times; each run equals a dispatch of its own.
func TestPipelineRepeats(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		r := runner(t, b, "step", step)
		p := program(t, "step", step)
		for i := range uint32(5) {
			in := []submit.Resource{submit.Host([]uint32{i, 100 * i})}
			got, _, err := r.Dispatch(within(t), in, engine.DispatchConfig{})
			check(t, err)
			want, _, err := submit.Once(within(t), b, p, in, engine.DispatchConfig{})
			check(t, err)
			same(t, "a repeated pipeline", got[0], want[0])
		}
	})
}

// TestPipelineIdentity: the id names backend and program; the program is shared, not copied.
func TestPipelineIdentity(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		p := program(t, "step", step)
		first, err := b.Compile(within(t), p)
		check(t, err)
		second, err := b.Compile(within(t), p)
		check(t, err)
		if want := b.Identity().ID + ":" + p.Fingerprint(); first.ID() != want || second.ID() != want {
			t.Errorf("ids %q and %q, want %q", first.ID(), second.ID(), want)
		}
		if first.Program() != p || second.Program() != p {
			t.Error("the program was copied")
		}
		check(t, first.Close())
		buf := allocate(t, b, 1)
		pending, err := second.Start(within(t), bind(buf), row(1))
		check(t, err)
		_, err = pending.Wait(within(t))
		check(t, err)
		_, err = first.Start(within(t), bind(buf), row(1))
		wants(t, "start of a closed pipeline", err, engine.ErrInvalidProgram)
		wants(t, "close again", first.Close(), engine.ErrInvalidProgram)
	})
}

// TestPipelineBatch queues jobs together and gets the outputs of each.
func TestPipelineBatch(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		r := runner(t, b, "step", step)
		var jobs []submit.Job
		for i := range uint32(5) {
			jobs = append(jobs, submit.Job{In: []submit.Resource{submit.Host([]uint32{i, i * i})}})
		}
		out, timings, err := r.Batch(within(t), jobs)
		check(t, err)
		for i := range jobs {
			n := uint32(i)
			same(t, "output", out[i][0], []uint32{5*n + 1, 5*n*n + 1})
			if timings[i].Wall.IsZero() {
				t.Error("no wall time")
			}
		}
		slot := &out[3][0][0]
		check(t, r.BatchInto(within(t), jobs, out, nil))
		if &out[3][0][0] != slot {
			t.Error("the slot was not used again")
		}
		jobs[2].In = nil
		err = r.BatchInto(within(t), jobs, out, nil)
		failed, ok := errors.AsType[*submit.BatchError](err)
		if !ok || failed.Job != 2 {
			t.Errorf("got %v, want an error of job 2", err)
		}
		same(t, "a job behind one that failed", out[4][0], []uint32{21, 81})
	})
}

// TestPipelineMixed binds host words and resident buffers in one dispatch.
func TestPipelineMixed(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		r := runner(t, b, "triple", triple)
		in := allocate(t, b, 1, 2)
		out, _, err := r.Dispatch(within(t), []submit.Resource{submit.Resident(in), submit.Zeros(2)}, engine.DispatchConfig{})
		check(t, err)
		same(t, "resident in, host out", out[0], []uint32{4, 7})
		kept := allocate(t, b, 0, 0)
		slots := [][]uint32{{9}}
		_, err = r.DispatchInto(within(t), []submit.Resource{submit.Host([]uint32{5, 6}), submit.Resident(kept)}, slots, engine.DispatchConfig{})
		check(t, err)
		same(t, "host in, resident out", contents(t, kept), []uint32{16, 19})
		if slots[0] != nil {
			t.Errorf("a resident output came back: %v", slots[0])
		}
	})
}

// TestPipelineResidentOut leaves outputs on the device and feeds them on, with no readback between.
func TestPipelineResidentOut(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		r := runner(t, b, "triple", triple)
		first, timing, err := r.DispatchResident(within(t), []submit.Resource{submit.Host([]uint32{1, 2}), submit.Zeros(2)}, engine.DispatchConfig{})
		check(t, err)
		if len(first) != 1 || timing.Wall.IsZero() {
			t.Fatalf("%d outputs, timing %+v", len(first), timing)
		}
		second, _, err := r.DispatchResident(within(t), []submit.Resource{submit.Resident(first[0]), submit.Zeros(2)}, engine.DispatchConfig{})
		check(t, err)
		same(t, "output", contents(t, second[0]), []uint32{13, 22})
		check(t, first[0].Free())
		check(t, second[0].Free())
		job := submit.Job{In: []submit.Resource{submit.Host([]uint32{1, 2}), submit.Zeros(2)}}
		many, timings, err := r.BatchResident(within(t), []submit.Job{job, job})
		check(t, err)
		if len(timings) != 2 || many[0][0] == many[1][0] {
			t.Error("the jobs of a batch share an output")
		}
		into := [][]engine.Buffer{nil, make([]engine.Buffer, 0, 1)}
		check(t, r.BatchResidentInto(within(t), []submit.Job{job, job}, into))
		for _, list := range append(many, into...) {
			same(t, "output of a batch", contents(t, list[0]), []uint32{4, 7})
			check(t, list[0].Free())
		}
	})
}

// fourBlocks has the megakernel's shape.
const fourBlocks = `layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Control { uint done; };
layout(std430, binding = 1) buffer Ring { uint slots[]; };
layout(std430, binding = 2) buffer Log { uint cursor; };
layout(std430, binding = 3) buffer IO { uint requests[]; };
void main() { done += slots[0]; cursor++; requests[0] = done; }
`

// TestPipelineRows dispatches rows of exactly four resources.
func TestPipelineRows(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		r := runner(t, b, "rows", fourBlocks)
		shared := allocate(t, b, 0)
		var rows []submit.Row
		for i := range uint32(4) {
			rows = append(rows, submit.Row{shared, allocate(t, b, i+1), allocate(t, b, 0), allocate(t, b, 0)})
		}
		check(t, r.Rows(within(t), rows, row(1)))
		for i, want := range []uint32{1, 3, 6, 10} {
			same(t, "requests", contents(t, rows[i][3]), []uint32{want})
			same(t, "log", contents(t, rows[i][2]), []uint32{1})
		}
		if b.Identity().Name == "gl" {
			ctx := within(t)
			if n := testing.AllocsPerRun(20, func() { check(t, r.Rows(ctx, rows, row(1))) }); n > 2 { // the bindings and the list of pendings, for all rows
				t.Errorf("%v allocations for %d rows", n, len(rows))
			}
		}
		rows[2][1] = nil
		err := r.Rows(within(t), rows, row(1))
		failed, ok := errors.AsType[*submit.BatchError](err)
		if !ok || failed.Job != 2 {
			t.Errorf("a row without a ring: %v", err)
		}
		wants(t, "rows for a program of one buffer", runner(t, b, "step", step).Rows(within(t), rows, row(1)), engine.ErrInvalidProgram)
	})
}
