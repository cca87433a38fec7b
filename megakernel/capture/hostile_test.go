package capture

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"vyretop/engine/debugger"
	"vyretop/megakernel"
	"vyretop/megakernel/peer"
)

// rewritten is a stored capture of which entries have other contents; nil leaves one out.
func rewritten(t *testing.T, change map[string][]byte) []byte {
	t.Helper()
	from, err := zip.OpenReader("../../fixtures/captures/llvmpipe-collatz.capture")
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	for _, f := range from.File {
		data, err := contents(f, maxHeader)
		if other, ok := change[f.Name]; ok {
			data = other
		}
		if err == nil && data != nil {
			err = add(to, f.Name, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestHostileCapturesAreRefused: with one error that says what to do.
func TestHostileCapturesAreRefused(t *testing.T) {
	for name, file := range map[string][]byte{
		"no archive":            []byte("PK\x03\x04 and nothing"),
		"no kernel":             rewritten(t, map[string][]byte{kernelEntry: nil}),
		"no ring":               rewritten(t, map[string][]byte{"buffer-1.u32": nil}),
		"half a word":           rewritten(t, map[string][]byte{"buffer-8.u32": {1, 2, 3}}),
		"a large header":        rewritten(t, map[string][]byte{headerEntry: bytes.Repeat([]byte{' '}, maxHeader+1)}),
		"a deep header":         rewritten(t, map[string][]byte{headerEntry: bytes.Repeat([]byte{'['}, 1<<20)}),
		"a kernel of zeros":     rewritten(t, map[string][]byte{kernelEntry: make([]byte, 100)}),
		"entries of 4 GiB":      claiming(t, 4<<30),
		"less than it says":     claiming(t, 1<<20),
		"more than it says":     claiming(t, 4),
		"a slot of 2^62":        rewritten(t, map[string][]byte{headerEntry: withHeader(t, func(h *Header) { h.Slot = 1 << 62 })}), // a panic
		"a slot of 2^63 - 1":    rewritten(t, map[string][]byte{headerEntry: withHeader(t, func(h *Header) { h.Slot = math.MaxInt })}),
		"a hit without words":   rewritten(t, map[string][]byte{headerEntry: withHeader(t, func(h *Header) { h.Held = &Held{End: []uint32{}} })}), // a panic when it was opened
		"an endless activation": rewritten(t, map[string][]byte{fmt.Sprint(bufferPrefix, megakernel.BindInbox, bufferSuffix): inboxWith(megakernel.SettingActivation, math.MaxUint32)}),
		"a checksum of none":    bytes.Replace(rewritten(t, nil), binaryCRC(t, "buffer-8.u32"), []byte{1, 2, 3, 4}, -1),
	} {
		_, err := Read("FILE", bytes.NewReader(file), int64(len(file)))
		if !errors.Is(err, ErrCapture) || strings.Count(err.Error(), "Fix: ") != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// withHeader is the header of the stored capture with a change.
func withHeader(t *testing.T, change func(*Header)) []byte {
	t.Helper()
	h := storedCapture(t, nil).Header
	change(&h)
	data, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// storedCapture is the stored capture with entries of other contents.
func storedCapture(t *testing.T, change map[string][]byte) *Capture {
	t.Helper()
	file := rewritten(t, change)
	c, err := Read("FILE", bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// inboxWith is an inbox with a setting.
func inboxWith(setting int, value uint32) []byte {
	words := make([]uint32, megakernel.InboxEntries)
	words[megakernel.InboxSettings+setting] = value
	return peer.Bytes(words)
}

// TestABufferThatIsMissingHoldsZeros: the outcome of an activation whose capture lacks a buffer of the target was a panic.
func TestABufferThatIsMissingHoldsZeros(t *testing.T) {
	c := storedCapture(t, map[string][]byte{"buffer-8.u32": nil})
	a, err := c.Open(t.Context())
	if errors.Is(err, debugger.ErrRequest) {
		return // the kernel says how long it is
	}
	if err != nil {
		t.Fatal(err)
	}
	a.Finish()
	if out := a.Outcome(); out.State == "" {
		t.Errorf("%+v", out)
	}
}

// claiming is a capture of which a buffer of 64 bytes says that it has another size.
func claiming(t *testing.T, size uint64) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	data := make([]byte, 64)
	w, err := z.CreateRaw(&zip.FileHeader{Name: "buffer-1.u32", Method: zip.Store, CompressedSize64: 64, UncompressedSize64: size, CRC32: crc32.ChecksumIEEE(data)})
	if err == nil {
		_, err = w.Write(data)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// binaryCRC is the checksum of an entry of the stored capture, as archives have it.
func binaryCRC(t *testing.T, name string) []byte {
	t.Helper()
	from, err := zip.OpenReader("../../fixtures/captures/llvmpipe-collatz.capture")
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	for _, f := range from.File {
		if c := f.CRC32; f.Name == name {
			return []byte{byte(c), byte(c >> 8), byte(c >> 16), byte(c >> 24)}
		}
	}
	t.Fatal(fmt.Errorf("%s: %w", name, os.ErrNotExist))
	return nil
}

// TestBuffersAreReadOnce: a capture of 3 MB took 2.6 GB, because each buffer was in memory as bytes, which grew, and as words.
func TestBuffersAreReadOnce(t *testing.T) {
	const size = 64 << 20
	file := rewritten(t, map[string][]byte{"buffer-8.u32": make([]byte, size)})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c, err := Read("FILE", bytes.NewReader(file), int64(len(file)))
	runtime.ReadMemStats(&after)
	if err != nil || len(c.Buffers[8]) != size/4 {
		t.Fatalf("%v", err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > size*3/2 {
		t.Errorf("it took %d MiB", took>>20)
	}
}
