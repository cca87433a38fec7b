package dispatch

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
)

const increments = `layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer B { uint v[]; };
void main() { v[gl_GlobalInvocationID.x] += 3u; }
`

// TestQueuedRepeats: each has buffers of its own with the same inputs, and a timing; the outputs of the last one are
// written.
func TestQueuedRepeats(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		dir := t.TempDir()
		in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
		check(t, os.WriteFile(in, binary.LittleEndian.AppendUint32(nil, 39), 0o600))
		r := &Request{
			Inputs: map[uint32]string{0: in}, Outputs: map[uint32]string{0: out}, Sizes: map[uint32]uint64{0: 32},
			Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}, Repeat: 5, Queued: true,
		}
		result, err := Run(t.Context(), b, compiled(t, increments), r)
		check(t, err)
		got, err := os.ReadFile(out)
		check(t, err)
		if len(result.Timings) != 5 || result.Queue <= 0 || binary.LittleEndian.Uint32(got) != 42 || binary.LittleEndian.Uint32(got[4:]) != 3 {
			t.Errorf("%d timings, %v", len(result.Timings), got)
		}
	})
}

func TestQueuedRepeatsMustAgree(t *testing.T) {
	same := [][]uint32{{1}, {2, 3}}
	if err := compareOutputs([][][]uint32{same, same}); err != nil {
		t.Error(err)
	}
	err := compareOutputs([][][]uint32{same, same, {{1}, {2, 4}}})
	if !errors.Is(err, ErrDiffer) || !strings.HasPrefix(err.Error(), "dispatch 3 wrote another output 2 than dispatch 1") {
		t.Errorf("error is %v", err)
	}
	for _, r := range []*Request{{Queued: true, Indirect: &IndirectGrid{}}, {Queued: true, Pair: &Pair{}}} {
		if _, err := Run(t.Context(), nil, nil, r); !errors.Is(err, ErrRequest) {
			t.Errorf("error is %v", err)
		}
	}
}
