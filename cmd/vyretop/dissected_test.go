package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"

	"vyretop/fixtures"
	"vyretop/megakernel"
)

// Channels of the header, the inputs and the results of a recording, as their writer numbers them.
const (
	channelTarget  = 1
	channelSubmit  = 6
	channelCommand = 7
	channelStart   = 12
	channelInitial = 13
	channelResult  = 14
)

// dissected is a recording in messages that can be changed. It is written as a complete file: what is wrong with it is what its
// messages say.
type dissected struct {
	*hostile
	chunks [][]hostileMessage
}

func dissect(t testing.TB, path string) *dissected {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	unpacker, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer unpacker.Close()
	x := &dissected{hostile: &hostile{t: t, zstd: packer}}
	for at := len(mcap.Magic); mcap.OpCode(data[at]) != mcap.OpDataEnd; {
		body := data[at+9:][:binary.LittleEndian.Uint64(data[at+1:])]
		if mcap.OpCode(data[at]) == mcap.OpChunk {
			if x.chunks == nil {
				x.file.Write(data[:at])
			}
			raw, err := unpacker.DecodeAll(body[40+len(mcap.CompressionZSTD):], nil)
			if err != nil {
				t.Fatal(err)
			}
			x.chunks = append(x.chunks, messagesOf(raw))
		}
		at += 9 + len(body)
	}
	return x
}

func messagesOf(raw []byte) (list []hostileMessage) {
	for len(raw) > 0 {
		body := raw[9:][:binary.LittleEndian.Uint64(raw[1:])]
		list = append(list, hostileMessage{binary.LittleEndian.Uint16(body), time.Duration(binary.LittleEndian.Uint64(body[6:])), body[22:]})
		raw = raw[9+len(body):]
	}
	return list
}

// whole writes the chunks and what ends a file.
func (x *dissected) whole(path string) {
	x.t.Helper()
	head := x.file.Len()
	for _, list := range x.chunks {
		if len(list) > 0 {
			x.chunk(list...)
		}
	}
	x.record(mcap.OpDataEnd, make([]byte, 4))
	x.record(mcap.OpFooter, make([]byte, 20))
	x.file.Write(mcap.Magic)
	if err := os.WriteFile(path, x.file.Bytes(), 0o600); err != nil {
		x.t.Fatal(err)
	}
	x.file.Truncate(head)
}

// copied is a copy whose messages can be changed without the original's.
func (x *dissected) copied() *dissected {
	out := &dissected{hostile: &hostile{t: x.t, zstd: x.zstd}}
	out.file.Write(x.file.Bytes())
	for _, list := range x.chunks {
		out.chunks = append(out.chunks, slices.Clone(list))
	}
	return out
}

// bodies changes the bodies of the messages of a channel.
func (x *dissected) bodies(channel uint16, change func([]byte) []byte) {
	for _, list := range x.chunks {
		for i := range list {
			if list[i].channel == channel {
				list[i].body = change(bytes.Clone(list[i].body))
			}
		}
	}
}

// first is the body of the first message of a channel.
func (x *dissected) first(channel uint16) []byte {
	for _, list := range x.chunks {
		for _, m := range list {
			if m.channel == channel {
				return m.body
			}
		}
	}
	x.t.Fatalf("the recording has no message of channel %d", channel)
	return nil
}

// without leaves out the messages of a channel.
func (x *dissected) without(channel uint16) {
	for i := range x.chunks {
		x.chunks[i] = slices.DeleteFunc(x.chunks[i], func(m hostileMessage) bool { return m.channel == channel })
	}
}

// repeated appends a chunk with a message n times, at the time of the last one.
func (x *dissected) repeated(channel uint16, n int, body []byte) {
	last := x.chunks[len(x.chunks)-1]
	x.chunks = append(x.chunks, slices.Repeat([]hostileMessage{{channel, last[len(last)-1].at, body}}, n))
}

// start changes what the recording says of the beginning of its run.
func (x *dissected) start(change func(*fixtures.Start)) {
	x.bodies(channelStart, func(body []byte) []byte {
		var s fixtures.Start
		x.must(json.Unmarshal(body, &s))
		change(&s)
		return x.encoded(s)
	})
}

// target changes what the recording says of its target.
func (x *dissected) target(change func(*megakernel.Target)) {
	x.bodies(channelTarget, func(body []byte) []byte {
		var d struct {
			Target  megakernel.Target `json:"target"`
			Host    string            `json:"host"`
			Version string            `json:"version"`
		}
		x.must(json.Unmarshal(body, &d))
		change(&d.Target)
		return x.encoded(d)
	})
}

// kernel changes the text of the kernel, a JSON document.
func (x *dissected) kernel(change func(any) any) {
	x.target(func(t *megakernel.Target) { t.Kernel = x.repacked(t.Kernel, change) })
}

// repacked changes a compressed JSON document.
func (x *dissected) repacked(packed []byte, change func(any) any) []byte {
	return x.zstd.EncodeAll(x.encoded(change(x.document(packed))), nil)
}

// document unpacks a compressed JSON document.
func (x *dissected) document(packed []byte) (doc any) {
	r, err := zstd.NewReader(bytes.NewReader(packed))
	x.must(err)
	defer r.Close()
	x.must(json.NewDecoder(r).Decode(&doc))
	return doc
}

// snapshot makes the recording one of a single snapshot, which is changed.
func (x *dissected) snapshot(change func(*megakernel.Snapshot)) {
	x.t.Helper()
	path := filepath.Join(x.t.TempDir(), "whole.mcap")
	x.whole(path)
	rec, err := fixtures.Open(path)
	x.must(err)
	defer rec.Close()
	_, end := rec.Span()
	s, _, err := rec.SnapshotAt(end)
	x.must(err)
	now := *s
	now.Control, now.Slots, now.WorkerTable = slices.Clone(s.Control), slices.Clone(s.Slots), slices.Clone(s.WorkerTable)
	change(&now)
	other := filepath.Join(x.t.TempDir(), "snapshot.mcap")
	w, err := fixtures.Create(other, rec.Header())
	x.must(err)
	w.Snapshot(&now)
	x.must(w.Close())
	key := dissect(x.t, other).first(channelSnapshot)
	x.without(channelSnapshot)
	x.chunks = append(x.chunks, []hostileMessage{{channelSnapshot, end, key}})
}

func (x *hostile) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

func (x *hostile) encoded(v any) []byte {
	data, err := json.Marshal(v)
	x.must(err)
	return data
}

// entries are those of a capture, which is a zip archive.
type entries map[string][]byte

func entriesOf(t testing.TB, path string) entries {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	out := entries{}
	for _, f := range z.File {
		var b bytes.Buffer
		r, err := f.Open()
		if err == nil {
			_, err = b.ReadFrom(r)
		}
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name] = b.Bytes()
	}
	return out
}

func (e entries) write(t testing.TB, path string) {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(e)) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(e[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// members are the paths to everything in a JSON document, of the elements of an array only to the first ones.
func members(doc any, at []string) (paths [][]string) {
	if at != nil {
		paths = append(paths, slices.Clone(at))
	}
	switch v := doc.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			paths = append(paths, members(v[name], append(at, name))...)
		}
	case []any:
		for i := range min(len(v), 2) {
			paths = append(paths, members(v[i], append(at, strconv.Itoa(i)))...)
		}
	}
	return paths
}

// replaced is a copy of a JSON document with another value at a path.
func replaced(doc any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	switch v := doc.(type) {
	case map[string]any:
		out := maps.Clone(v)
		out[path[0]] = replaced(v[path[0]], path[1:], value)
		return out
	case []any:
		out := slices.Clone(v)
		i, _ := strconv.Atoi(path[0]) // members made it
		out[i] = replaced(v[i], path[1:], value)
		return out
	}
	return doc
}
