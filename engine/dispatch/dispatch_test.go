package dispatch

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference"
)

func check(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// compiled makes a program of a text that follows the version line.
func compiled(t *testing.T, text string) *engine.Program {
	t.Helper()
	p, _, err := engine.CompileProgram("test", &source.File{Name: "test.comp", Text: "#version 450\n" + text}, glsl.Options{})
	check(t, err)
	return p
}

const nothing = `layout(local_size_x = 1) in;
layout(std430, binding = 4) buffer B { uint v[]; };
void main() {}
`

// TestBytesPassUnchanged: what a kernel does not touch comes out as it went in, at sizes around those
// of the parts in which it is copied.
func TestBytesPassUnchanged(t *testing.T) {
	b, p, dir := backendtest.Reference(t, reference.Options{}), compiled(t, nothing), t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	random := make([]byte, 2*chunkWords*wordBytes+64)
	for i := range random {
		random[i] = byte(i*i>>3 + i>>11)
	}
	rapid.Check(t, func(t *rapid.T) {
		near := rapid.SampledFrom([]int{1, chunkWords, 2 * chunkWords}).Draw(t, "near")
		words := max(1, near+rapid.IntRange(-9, 9).Draw(t, "more"))
		size := words * wordBytes
		given := max(0, size-rapid.IntRange(0, 9).Draw(t, "missing"))
		check(t, os.WriteFile(in, random[:given], 0o600))
		r := &Request{
			Inputs: map[uint32]string{4: in}, Outputs: map[uint32]string{4: out}, Sizes: map[uint32]uint64{4: uint64(size)},
			Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}},
		}
		result, err := Run(t.Context(), b, p, r)
		check(t, err)
		got, err := os.ReadFile(out)
		check(t, err)
		want := append(bytes.Clone(random[:given]), make([]byte, size-given)...)
		if !bytes.Equal(got, want) {
			t.Fatalf("%d bytes of %d came out otherwise", len(got), size)
		}
		sum := sha256.Sum256(want)
		if o := result.Outputs[0]; o.SHA256 != hex.EncodeToString(sum[:]) || o.Bytes != uint64(size) || o.Binding != 4 || o.Name != "B" {
			t.Fatalf("described as %+v", o)
		}
	})
}

// TestTooLongInputs: one byte more than a whole part, and than the last part.
func TestTooLongInputs(t *testing.T) {
	b, p, in := backendtest.Reference(t, reference.Options{}), compiled(t, nothing), filepath.Join(t.TempDir(), "in")
	for _, words := range []int{1, chunkWords, chunkWords + 1} {
		check(t, os.WriteFile(in, make([]byte, words*wordBytes+1), 0o600))
		r := &Request{
			Inputs: map[uint32]string{4: in}, Sizes: map[uint32]uint64{4: uint64(words * wordBytes)},
			Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}},
		}
		if _, err := Run(t.Context(), b, p, r); !errors.Is(err, ErrRequest) {
			t.Errorf("%d words: %v", words, err)
		}
	}
}

// TestFailedDispatchesWriteNothing: an output that exists stays as it is.
func TestFailedDispatchesWriteNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	check(t, os.WriteFile(out, []byte("old"), 0o600))
	r := &Request{
		Sizes: map[uint32]uint64{4: 4}, Outputs: map[uint32]string{4: out},
		Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}, FixpointIterations: engine.Known(uint32(0))},
	}
	if _, err := Run(t.Context(), backendtest.Reference(t, reference.Options{}), compiled(t, nothing), r); !errors.Is(err, engine.ErrInvalidProgram) {
		t.Errorf("0 iterations give %v", err)
	}
	got, err := os.ReadFile(out)
	check(t, err)
	if string(got) != "old" {
		t.Errorf("the output is %q", got)
	}
}

// TestSuggestedSizeIsTaken: the size that a message suggests is one that the kernel runs with, whatever size was given.
func TestSuggestedSizeIsTaken(t *testing.T) {
	b, in := backendtest.Reference(t, reference.Options{}), filepath.Join(t.TempDir(), "in")
	p := compiled(t, "layout(local_size_x = 1) in;\nlayout(std430, binding = 4) buffer B { uint n; vec4 v[]; };\nvoid main() { v[0] = vec4(1.0); }\n")
	suggested := regexp.MustCompile(`--size 4=([0-9]+)`)
	for _, given := range []uint64{0, 1, 4, 10, 30, 31, 33, 62, 4<<30 - 1, 1<<64 - 1} {
		for _, filled := range []bool{false, true} {
			if filled && given > 100 {
				continue
			}
			r := &Request{Sizes: map[uint32]uint64{4: given}, Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}}
			if filled {
				check(t, os.WriteFile(in, make([]byte, given), 0o600))
				r.Inputs, r.Sizes = map[uint32]string{4: in}, nil
			}
			_, err := Run(t.Context(), b, p, r)
			found := suggested.FindStringSubmatch(fmt.Sprint(err))
			if found == nil {
				t.Fatalf("%d bytes: %v suggests no size", given, err)
			}
			size, err := strconv.ParseUint(found[1], 10, 64)
			check(t, err)
			if size > 100 {
				if size > given {
					t.Errorf("%d bytes: suggested %d, more than was asked for", given, size)
				}
				continue
			}
			if r.Sizes = map[uint32]uint64{4: size}; filled && size < given {
				t.Errorf("%d bytes of input: suggested %d", given, size)
			}
			if _, err := Run(t.Context(), b, p, r); err != nil {
				t.Errorf("%d bytes: the suggested %d: %v", given, size, err)
			}
		}
	}
}
