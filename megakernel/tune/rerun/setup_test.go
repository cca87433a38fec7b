//go:build egl

package rerun

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"vyretop/engine"
	"vyretop/engine/device"
	"vyretop/megakernel"
	"vyretop/megakernel/run"
	"vyretop/megakernel/tune"
	"vyretop/megakernel/workload"
)

// openBackend opens what benchmarks run on, gl or reference, as vyretop run does.
func openBackend(b *testing.B, name string) engine.Backend {
	backend, _, err := device.Openers{}.Open(b.Context(), device.Choice{Backend: name, Device: device.AutoDevice, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { backend.Close() })
	return backend
}

// open is a shipped workload that runs again and again.
func open(b *testing.B, backend engine.Backend, name string, flags map[string]string) *Live {
	d, err := run.OpenWorkload(name)
	if err != nil {
		b.Fatal(err)
	}
	live := NewLive(Config{Backend: backend, New: func() (workload.Workload, error) { return d.New(flags) }})
	b.Cleanup(func() { live.Close() })
	return live
}

func candidate(s megakernel.Shape) tune.Candidate {
	return tune.Candidate{{ID: megakernel.WorkersSetting, Value: int64(s.Workers)}, {ID: megakernel.LanesSetting, Value: int64(s.Lanes)}}
}

// corpus writes files of words and lines, 4 kB to 512 kB each, that many MiB together. It is the same everywhere.
func corpus(b *testing.B, mib string) string {
	dir := b.TempDir()
	n, err := strconv.Atoi(mib)
	if err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 11))
	words := [...]string{"func", "return", "the", "error", "if", "nil", "package", "import", "type", "struct", "context", "value", "TODO", "range", "of", "a"}
	for left, file := n<<20, 0; left > 0; file++ {
		size := min(left, 4<<10<<random.IntN(8))
		left -= size
		text := make([]byte, 0, size)
		for len(text) < size {
			text = append(text, words[random.IntN(len(words))]...)
			text = append(text, " \n\t "[random.IntN(4)])
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.txt", file)), text[:size], 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}
