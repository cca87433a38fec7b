package dispatch

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/plainfile"
	"vyretop/engine/reference"
)

// look is a kernel with an image and a buffer.
const look = `layout(local_size_x = 1) in;
layout(rgba16, binding = 0) uniform readonly image2D from;
layout(std430, binding = 1) buffer Data { uint d[]; };
void main() { d[0] = uint(imageLoad(from, ivec2(0, 0)).r); }
`

// ofSize is a PNG file of one pixel whose head says another size and 16 bits for each of four components.
func ofSize(t *testing.T, width, height uint32) []byte {
	t.Helper()
	var b bytes.Buffer
	check(t, png.Encode(&b, image.NewNRGBA64(image.Rect(0, 0, 1, 1))))
	const head = 12 // signature, and length of the head
	file := b.Bytes()
	binary.BigEndian.PutUint32(file[head+4:], width)
	binary.BigEndian.PutUint32(file[head+8:], height)
	binary.BigEndian.PutUint32(file[head+4+13:], crc32.ChecksumIEEE(file[head:head+4+13]))
	return file
}

// TestHostilePicturesAreRefusedBeforeTheyTakeMemory: a PNG file of 8 KB took 2.4 GB.
func TestHostilePicturesAreRefusedBeforeTheyTakeMemory(t *testing.T) {
	b, p, dir := backendtest.Reference(t, reference.Options{}), compiled(t, look), t.TempDir()
	sparse := filepath.Join(dir, "sparse.png")
	check(t, os.WriteFile(sparse, ofSize(t, 1, 1), 0o600))
	check(t, os.Truncate(sparse, 1<<40))
	files := map[string]string{"many bytes": sparse, "device": "/dev/zero", "folder": dir, "made up": "/proc/self/status"}
	for name, size := range map[string][2]uint32{"wide": {1 << 26, 1}, "large": {8192, 8192}, "deep": {4097, 4096}, "largest": {1<<31 - 1, 1<<31 - 1}, "empty": {0, 0}} {
		files[name] = filepath.Join(dir, name+".png")
		check(t, os.WriteFile(files[name], ofSize(t, size[0], size[1]), 0o600))
	}
	for name, file := range files {
		for _, what := range []string{file, file + ":4x4"} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Run(t.Context(), b, p, &Request{Images: map[string]string{"0": what}, Sizes: map[uint32]uint64{1: 64}, Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}})
			runtime.ReadMemStats(&after)
			if !errors.Is(err, ErrRequest) || !strings.Contains(err.Error(), "Fix: ") {
				t.Errorf("%s: %v", name, err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
				t.Errorf("%s took %d bytes", name, took)
			}
		}
	}
}

// TestInputsThatTheSystemMakesUpAreRefused: some of /proc never end, and some wait for events.
func TestInputsThatTheSystemMakesUpAreRefused(t *testing.T) {
	b, p := backendtest.Reference(t, reference.Options{}), compiled(t, "layout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer R { uint r[]; };\nvoid main() { r[0]++; }\n")
	run := func(path string) error {
		_, err := Run(t.Context(), b, p, &Request{Inputs: map[uint32]string{0: path}, Sizes: map[uint32]uint64{0: 64}, Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}})
		return err
	}
	for _, path := range []string{"/proc/self/status", t.TempDir()} {
		if err := run(path); !errors.Is(err, plainfile.ErrSpecial) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := run("/dev/zero"); err == nil || !strings.Contains(err.Error(), "more than the 64 bytes") {
		t.Errorf("an endless device: %v", err)
	}
}

// TestRawTexelsAreReadAndWrittenInChunks: an image of more words than a chunk, of components that do not divide it, comes back the same.
func TestRawTexelsAreReadAndWrittenInChunks(t *testing.T) {
	b, p, dir := backendtest.Reference(t, reference.Options{}), compiled(t, strings.ReplaceAll(look, "rgba16", "rgba32f")), t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	raw := make([]byte, 16*211*97)
	for i := range raw {
		raw[i] = byte(i * 7)
	}
	check(t, os.WriteFile(in, raw, 0o600))
	r := &Request{Images: map[string]string{"0": in + ":211x97"}, Saves: map[string]string{"0": out}, Sizes: map[uint32]uint64{1: 64}, Repeat: 2, Config: engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}}
	_, err := Run(t.Context(), b, p, r)
	check(t, err)
	got, err := os.ReadFile(out)
	check(t, err)
	if !slices.Equal(got, raw) {
		t.Errorf("%d bytes came back as %d others", len(raw), len(got))
	}
}
