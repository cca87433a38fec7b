package programcache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestEntryLayout holds the bytes of an entry still: files of earlier versions of this program exist.
func TestEntryLayout(t *testing.T) {
	k := NewKey("text", "driver")
	got := encode(k, Program{Format: 0x875F, Data: []byte{1, 2, 3}, Log: "0:1: note"})
	want := []byte("VYRPROG\x01")
	want = append(want, k[:]...)
	want = append(want, 0x5F, 0x87, 0, 0, 9, 0, 0, 0, 3, 0, 0, 0)
	want = append(want, "0:1: note\x01\x02\x03"...)
	sum := sha256.Sum256(want)
	if want = append(want, sum[:]...); !bytes.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

func TestKeysKeepPartsApart(t *testing.T) {
	seen := map[Key][]string{}
	for _, parts := range [][]string{{}, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"b", "a"}, {"a", "", "b"}, {"ab", ""}} {
		k := NewKey(parts...)
		if other, dup := seen[k]; dup {
			t.Errorf("%q and %q have one key", other, parts)
		}
		seen[k] = parts
	}
}

func TestEntryRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := NewKey(rapid.String().Draw(t, "text"))
		p := Program{
			Format: rapid.Uint32().Draw(t, "format"),
			Data:   rapid.SliceOf(rapid.Byte()).Draw(t, "data"),
			Log:    rapid.String().Draw(t, "log"),
		}
		got, ok := decode(k, encode(k, p))
		if !ok || got.Format != p.Format || got.Log != p.Log || !bytes.Equal(got.Data, p.Data) {
			t.Fatalf("%v, %v, want %v", got, ok, p)
		}
	})
}

// forged is an entry with one change and a checksum that fits.
func forged(k Key, p Program, change func(b []byte) []byte) []byte {
	b := encode(k, p)
	b = change(b[:len(b)-sha256.Size])
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// TestForgedEntries: a checksum that fits is not enough.
func TestForgedEntries(t *testing.T) {
	k, p := NewKey("a"), Program{Format: 7, Data: []byte("data"), Log: "log"}
	word := func(offset int, v uint32) func([]byte) []byte {
		return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[offset:], v); return b }
	}
	for name, change := range map[string]func([]byte) []byte{
		"other version":      func(b []byte) []byte { b[7] = 2; return b },
		"other kind of file": func(b []byte) []byte { b[0] = 'X'; return b },
		"other key":          func(b []byte) []byte { b[8] ^= 1; return b },
		"log beyond the end": word(44, 1<<31),
		"both lengths large": func(b []byte) []byte { return word(48, 1<<32-1)(word(44, 1<<32-1)(b)) },
		"data too short":     word(48, 3),
		"bytes left over":    func(b []byte) []byte { return append(b, 0) },
		"header only":        func(b []byte) []byte { return b[:headerSize] },
		"half a header":      func(b []byte) []byte { return b[:20] },
		"nothing":            func(b []byte) []byte { return nil },
	} {
		if _, ok := decode(k, forged(k, p, change)); ok {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, ok := decode(k, forged(k, p, func(b []byte) []byte { return b })); !ok {
		t.Error("refused without a change")
	}
}

func FuzzDecode(f *testing.F) {
	k := NewKey("a")
	f.Add([]byte{})
	f.Add([]byte(magic))
	f.Add(encode(k, Program{Format: 1, Data: []byte("data"), Log: "log"}))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, b := range [][]byte{body, forged(k, Program{}, func(b []byte) []byte { return append(b[:8+len(k)], body...) })} {
			if p, ok := decode(k, b); ok && !bytes.Equal(encode(k, p), b) {
				t.Errorf("accepted %x, which encode does not make", b)
			}
		}
	})
}
