package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"vyretop/megakernel"
	"vyretop/megakernel/peer"
	"vyretop/megakernel/workload"
)

// Output is a file that gets what a buffer of the workload holds at the end of a run, words little-endian.
type Output struct {
	Buffer string `json:"buffer"`
	File   string `json:"file"`
}

// Written is an Output that was written.
type Written struct {
	Output
	Words   int    `json:"words"`
	SHA256  string `json:"sha256"`            // of the file, in hexadecimal
	Partial bool   `json:"partial,omitempty"` // the run was cut short
}

// checkOutputs finds outputs that cannot be, before the kernel is compiled. Its errors are workload.ErrFlag and
// workload.ErrInput.
func checkOutputs(list []Output, setup *workload.Setup) error {
	files := map[string]bool{}
	for _, o := range list {
		known := false
		names := make([]string, len(setup.Buffers))
		for i, b := range setup.Buffers {
			names[i] = b.Name
			known = known || b.Name == o.Buffer
		}
		if !known {
			return workload.Failure(workload.ErrFlag, "--out "+o.Buffer+"="+o.File, "the workload has no such buffer", nil, "name one of its buffers: "+strings.Join(names, ", "))
		}
		if files[o.File] {
			return workload.Failure(workload.ErrFlag, "--out "+o.Buffer+"="+o.File, "the file is given twice", nil, "give each buffer a file of its own")
		}
		files[o.File] = true
		if err := workload.CheckOut(o.File); err != nil {
			return err
		}
	}
	return nil
}

// outputs are the files that a run writes.
type outputs struct {
	list  []Output
	saved *saved // of the work that has ended, nil before
}

// saved is what was written of a result, and the slice after which.
type saved struct {
	list  []Written
	err   error
	slice uint32
}

// saveOutputs writes the outputs of work that has ended while the target is still there: the dashboard may show the result for long, and
// what is not in its file then is lost with the process. Finish writes them again if the target has done anything since.
func saveOutputs(ctx context.Context, r *Run) {
	if len(r.outputs.list) == 0 || r.group.awaitRest(ctx) != nil {
		return // the caller that ends the run says why
	}
	slice := r.group.summary().Slices
	list, err := r.writeOutputs(ctx, true)
	if err != nil && ctx.Err() != nil {
		return // Finish writes them
	}
	if err != nil {
		r.hub.Event("error", megakernel.NotWritten+err.Error())
	}
	r.outputs.saved = &saved{list, err, slice}
}

// outputsAtEnd are the outputs, unless they were written and no slice has run since.
func outputsAtEnd(ctx context.Context, r *Run, complete bool) ([]Written, error) {
	if s := r.outputs.saved; s != nil && s.err == nil && s.slice == r.group.summary().Slices {
		return s.list, nil
	}
	return r.writeOutputs(ctx, complete)
}

// writeOutputs writes the outputs of a run whose target is still there.
func (r *Run) writeOutputs(ctx context.Context, complete bool) (out []Written, err error) {
	for _, o := range r.outputs.list {
		w := Written{Output: o, Partial: !complete}
		for _, b := range r.group.members[0].Buffers() {
			if b.Name == o.Buffer {
				err = r.writeOutput(ctx, &w, &b)
			}
		}
		if err != nil {
			return out, err
		}
		r.hub.Event(megakernel.EventWritten, fmt.Sprintf("buffer %s was written to %s", o.Buffer, o.File))
		out = append(out, w)
	}
	return out, nil
}

func (r *Run) writeOutput(ctx context.Context, o *Written, b *megakernel.BufferInfo) error {
	hash := sha256.New()
	o.Words = b.Words
	err := workload.WriteOut(o.File, func(file io.Writer) error {
		words := make([]uint32, min(b.Words, keptAtOnce))
		for at := 0; at < b.Words; at += len(words) {
			part := words[:min(len(words), b.Words-at)]
			if err := r.group.members[0].ReadBuffer(ctx, b.Name, at, part); err != nil {
				return err
			}
			if _, err := io.MultiWriter(file, hash).Write(peer.Bytes(part)); err != nil {
				return err
			}
		}
		return nil
	})
	o.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return err
}
