package megakernel

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

type controlVector struct {
	Op string `json:"op"`
	In struct {
		Shutdown    bool   `json:"shutdown"`
		Tenants     uint32 `json:"tenant_count"`
		Observables uint32 `json:"observable_slots"`
	} `json:"in"`
	Out struct {
		Bytes   int         `json:"byte_len"`
		NonZero [][2]uint32 `json:"nonzero_words"`
		Hex     string      `json:"hex"`
	} `json:"out"`
	Err json.RawMessage `json:"err"`
}

// TestVectorsEncodeControl compares with what the published peer writes into a control buffer. The
// golden files are not part of the repository; without them the test is skipped.
func TestVectorsEncodeControl(t *testing.T) {
	dir := cmp.Or(os.Getenv("VYRETOP_VECTORS"), filepath.Join("..", "..", "shared", "vectors"))
	text, err := os.ReadFile(filepath.Join(dir, "protocol.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("no golden vectors in %s; set VYRETOP_VECTORS to their folder to run this test", dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var op struct {
			Op string `json:"op"`
		}
		if err := json.Unmarshal(lines.Bytes(), &op); err != nil {
			t.Fatal(err)
		}
		if op.Op != "encode_control" {
			continue
		}
		var v controlVector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		ran++
		checkControlVector(t, ran, &v)
	}
	if err := lines.Err(); err != nil || ran == 0 {
		t.Fatalf("ran %d vectors, %v", ran, err)
	}
}

func checkControlVector(t *testing.T, n int, v *controlVector) {
	words, err := EncodeControl(v.In.Tenants, v.In.Observables)
	if v.Err != nil {
		if !isFormatError(err, "control") {
			t.Errorf("vector %d: %d tenants, %d observables: error is %v", n, v.In.Tenants, v.In.Observables, err)
		}
		return
	}
	if err != nil {
		t.Errorf("vector %d: %v", n, err)
		return
	}
	if v.In.Shutdown {
		words[CtrlShutdown] = 1
	}
	want := make([]uint32, v.Out.Bytes/4)
	for _, w := range v.Out.NonZero {
		want[w[0]] = w[1]
	}
	if !slices.Equal(words, want) {
		t.Errorf("vector %d: %d words, want %d, or some of them differ", n, len(words), len(want))
	}
	if got := hex.EncodeToString(bytesOf(words)); v.Out.Hex != "" && got != v.Out.Hex {
		t.Errorf("vector %d: bytes differ from the peer's", n)
	}
}
