package replay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/peer"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/words"
	"vyretop/tasks"
)

// BufferResult compares what a buffer holds at the end.
type BufferResult struct {
	Name      string      `json:"name"`
	Of        int         `json:"words"`            // of the buffer
	Words     int         `json:"compared"`         // from the first on
	SHA256    string      `json:"sha256,omitempty"` // of the words compared, little-endian, in hexadecimal
	Different int         `json:"different"`
	First     *Difference `json:"first,omitempty"`   // nil where all are equal
	Skipped   string      `json:"skipped,omitempty"` // why it was not compared; "" where it was
}

// Difference is a word that differs.
type Difference struct {
	Index    int    `json:"index"`
	Name     string `json:"name"` // of the word: its path in what the kernel declares
	Recorded uint32 `json:"recorded"`
	Now      uint32 `json:"now"`
}

// FaultDifference is a published task that faulted in one of the runs only, or with another code.
type FaultDifference struct {
	Task     uint32  `json:"task"`
	Recorded *uint32 `json:"recorded_code"` // null where it did not fault
	Now      *uint32 `json:"code"`
}

const (
	maxFaults    = 16
	comparedOnce = 1 << 16 // words
)

// compare fills in what came of the tasks and buffers.
func (p *plan) compare(ctx context.Context, rec *fixtures.Recording, s *resident.Session, r *Result) error {
	now := s.Snapshot()
	r.Tasks = Counts{
		Done: now.Counters[megakernel.CountDone], Faulted: now.Counters[megakernel.CountFaulted],
		RecordedDone: p.end.Counters[megakernel.CountDone], RecordedFaulted: p.end.Counters[megakernel.CountFaulted],
	}
	r.Faults = compareFaults(faults(p.end), faults(now))
	for i := range p.header.Start.Buffers {
		b := &p.header.Start.Buffers[i]
		out, err := p.compareBuffer(ctx, rec, s, b, r)
		if err != nil {
			return err
		}
		r.Buffers = append(r.Buffers, out)
	}
	return nil
}

// faults are the codes of the published tasks that faulted and still have their slots.
func faults(s *megakernel.Snapshot) map[uint32]uint32 {
	out := map[uint32]uint32{}
	for i := range s.NumSlots() {
		w := s.Slot(i)
		if id := w[tasks.WordTaskID]; tasks.State(w[tasks.WordState]) == tasks.Faulted && id < megakernel.SpawnedIDBase {
			out[id] = w[tasks.WordContinuationData]
		}
	}
	return out
}

func compareFaults(recorded, now map[uint32]uint32) (out []FaultDifference) {
	all := maps.Clone(recorded)
	maps.Copy(all, now)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		was, before := recorded[id]
		is, after := now[id]
		if before == after && was == is || len(out) == maxFaults {
			continue
		}
		d := FaultDifference{Task: id}
		if before {
			d.Recorded = &was
		}
		if after {
			d.Now = &is
		}
		out = append(out, d)
	}
	return out
}

// compareBuffer compares the words that the recording has of a buffer.
func (p *plan) compareBuffer(ctx context.Context, rec *fixtures.Recording, s *resident.Session, b *fixtures.StartBuffer, r *Result) (BufferResult, error) {
	out := BufferResult{Name: b.Name, Of: b.Words}
	if b.Unordered {
		out.Skipped = "its words depend on the order in which tasks ran"
		return out, nil
	}
	digest := sha256.New()
	recorded, now := make([]uint32, comparedOnce), make([]uint32, comparedOnce)
	for at := 0; at < b.Words; at += comparedOnce {
		n := min(comparedOnce, b.Words-at)
		err := rec.ReadBuffer(p.at, b.Name, at, recorded[:n])
		if missing := (*fixtures.NoContentsError)(nil); errors.As(err, &missing) && missing.Word > at {
			n, err = missing.Word-at, nil // only its beginning is recorded
		} else if missing != nil && at > 0 {
			break
		}
		if err == nil {
			err = s.ReadBuffer(ctx, b.Name, at, now[:n])
		}
		if err != nil {
			return out, fmt.Errorf("compare buffer %s: %w", b.Name, err)
		}
		digest.Write(peer.Bytes(now[:n]))
		p.count(&out, at, recorded[:n], now[:n], func(i int) {
			r.note(place{buffer: b, index: at + i, recorded: recorded[i], now: now[i]})
		})
	}
	out.SHA256 = hex.EncodeToString(digest.Sum(nil))
	return out, nil
}

// count adds the words from number at on to a result.
func (p *plan) count(out *BufferResult, at int, recorded, now []uint32, note func(i int)) {
	out.Words += len(now)
	for i, was := range recorded {
		if was == now[i] {
			continue
		}
		note(i)
		if out.Different++; out.First == nil {
			out.First = &Difference{Index: at + i, Name: p.nameOf(out.Name, at+i), Recorded: was, Now: now[i]}
		}
	}
}

func (p *plan) nameOf(buffer string, i int) string {
	return words.For(p.header.Target.Buffers).Name(buffer, i)
}
