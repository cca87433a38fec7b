package bfs

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"vyretop/megakernel/workload"
)

// Feed implements workload.Queued.
func (b *Batch) Feed(f *workload.Feed) { b.feed = f }

// Inputs implements workload.Queued: the arcs of the graphs, and where the searches begin.
func (b *Batch) Inputs() workload.Inputs {
	hash := sha256.New()
	out := bufio.NewWriter(hash)
	for _, words := range [][]uint32{b.arcs.offsets, b.arcs.targets, b.sources} {
		fmt.Fprintf(out, "%d\n", len(words))
		for _, w := range words {
			var word [4]byte
			binary.LittleEndian.PutUint32(word[:], w)
			_, _ = out.Write(word[:]) // a hash takes everything
		}
	}
	_ = out.Flush()
	return workload.Inputs{Units: len(b.sources), Digest: hex.EncodeToString(hash.Sum(nil))}
}

// words are a record as the result has it.
func (r record) words() [recordWords]uint32 {
	return [recordWords]uint32{recordReached: r.reached, recordLevels: r.levels, recordArcs: r.arcs, recordCheck: r.check}
}

// Pack implements workload.Queued.
func (b *Batch) Pack(units []int) ([]byte, error) {
	out := make([][recordWords]uint32, len(units))
	for i, n := range units {
		out[i] = b.records[n].words()
	}
	return json.Marshal(out)
}

// Unpack implements workload.Queued.
func (b *Batch) Unpack(units []int, data []byte) error {
	var in [][]uint32
	if err := workload.UnpackJSON(BatchDriver, data, &in, units, len(b.sources)); err != nil {
		return err
	}
	for _, words := range in {
		if len(words) != recordWords {
			return workload.BadResult(BatchDriver, fmt.Sprintf("a search has %d numbers instead of %d", len(words), recordWords))
		}
	}
	for i, n := range units {
		b.records[n] = recordAt(func(at int) uint32 { return in[i][at] }, 0)
		b.done.Add(1)
	}
	return nil
}
