package infer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"vyretop/megakernel/workload"
)

var _ workload.Queued = (*Infer)(nil)

// Feed implements workload.Queued.
func (r *Infer) Feed(f *workload.Feed) { r.shared.feed = f }

// Inputs implements workload.Queued: the model's weights as they are on the device, the prompts, and how much is written.
func (r *Infer) Inputs() workload.Inputs {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %d %d %v\n", r.model.name, r.plan.limit, r.plan.batch, r.plan.prompts)
	for _, words := range [][]uint32{r.plan.weights, r.plan.scales, r.plan.list} {
		_ = binary.Write(hash, binary.LittleEndian, words) // a hash takes everything
	}
	return workload.Inputs{Units: r.plan.batches(), Digest: hex.EncodeToString(hash.Sum(nil))}
}

// places gives f the words of each sequence of a batch in the buffer "text": its head and what was written.
func (r *Infer) places(batch int, f func(at, words int)) {
	first, end := r.plan.sequences(batch)
	for i := first; i < end; i++ {
		f(textHead+2*i, 2)
		f(textHead+2*len(r.plan.prompts)+2*i*r.plan.positions, 2*r.plan.positions)
	}
}

// Pack implements workload.Queued: the words of the batches, little-endian.
func (r *Infer) Pack(units []int) (out []byte, err error) {
	text := *r.text.Load()
	for _, batch := range units {
		r.places(batch, func(at, n int) {
			words := make([]uint32, n)
			text.CopyTo(words, at)
			for _, w := range words {
				out = binary.LittleEndian.AppendUint32(out, w)
			}
		})
	}
	return out, nil
}

// Unpack implements workload.Queued.
func (r *Infer) Unpack(units []int, data []byte) error {
	size := 0
	for _, batch := range units {
		if batch < 0 || batch >= r.plan.batches() {
			return workload.BadResult("infer", fmt.Sprintf("there is no batch %d", batch))
		}
		r.places(batch, func(_, n int) { size += 4 * n })
	}
	if len(data) != size {
		return workload.BadResult("infer", fmt.Sprintf("it has %d bytes instead of %d", len(data), size))
	}
	text := *r.text.Load()
	for _, batch := range units {
		r.places(batch, func(at, n int) {
			words := make([]uint32, n)
			for i := range words {
				words[i] = binary.LittleEndian.Uint32(data[4*i:])
			}
			data = data[4*n:]
			text.CopyFrom(at, words)
		})
	}
	return nil
}
