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

// writeOutputs writes the outputs of a run whose target is still there.
func (r *Run) writeOutputs(ctx context.Context, complete bool) (out []Written, err error) {
	for _, o := range r.outputs {
		w := Written{Output: o, Partial: !complete}
		for _, b := range r.group.members[0].Buffers() {
			if b.Name == o.Buffer {
				err = r.writeOutput(ctx, &w, &b)
			}
		}
		if err != nil {
			return out, err
		}
		r.hub.Event("out", fmt.Sprintf("buffer %s was written to %s", o.Buffer, o.File))
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
