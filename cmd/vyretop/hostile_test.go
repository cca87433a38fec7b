package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Channels of recordings, as their writer numbers them.
const (
	channelSnapshot = 4
	channelLog      = 5
	channelEvent    = 8
	channelRecords  = 10
	channelBuffer   = 11
)

// hostile makes recordings that no writer makes: the head of a real one, and chunks of any content behind it.
type hostile struct {
	t    testing.TB
	file bytes.Buffer
	zstd *zstd.Encoder
}

func newHostile(t testing.TB, h fixtures.Header) *hostile {
	t.Helper()
	name := filepath.Join(t.TempDir(), "head.mcap")
	w, err := fixtures.Create(name, h)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	head, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	end := len(mcap.Magic)
	for mcap.OpCode(head[end]) != mcap.OpDataEnd {
		end += 9 + int(binary.LittleEndian.Uint64(head[end+1:]))
	}
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	x := &hostile{t: t, zstd: packer}
	x.file.Write(head[:end])
	return x
}

// hostileMessage is a message of a chunk.
type hostileMessage struct {
	channel uint16
	at      time.Duration
	body    []byte
}

// chunk appends a chunk with its message indexes.
func (x *hostile) chunk(messages ...hostileMessage) {
	var raw []byte
	counts := map[uint16]int{}
	for _, m := range messages {
		raw = append(raw, byte(mcap.OpMessage))
		raw = binary.LittleEndian.AppendUint64(raw, uint64(22+len(m.body)))
		raw = binary.LittleEndian.AppendUint16(raw, m.channel)
		raw = binary.LittleEndian.AppendUint32(raw, 0)
		raw = binary.LittleEndian.AppendUint64(raw, uint64(m.at))
		raw = binary.LittleEndian.AppendUint64(raw, uint64(m.at))
		raw = append(raw, m.body...)
		counts[m.channel]++
	}
	packed := x.zstd.EncodeAll(raw, nil)
	x.record(mcap.OpChunk, chunkHead(messages[0].at, messages[len(messages)-1].at, len(raw), len(packed)), packed)
	for channel, n := range counts {
		index := binary.LittleEndian.AppendUint16(nil, channel)
		index = binary.LittleEndian.AppendUint32(index, uint32(16*n))
		x.record(mcap.OpMessageIndex, index, make([]byte, 16*n))
	}
}

func chunkHead(start, end time.Duration, size, packed int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(start))
	b = binary.LittleEndian.AppendUint64(b, uint64(end))
	b = binary.LittleEndian.AppendUint64(b, uint64(size))
	b = binary.LittleEndian.AppendUint32(b, 0) // no checksum
	b = binary.LittleEndian.AppendUint32(b, uint32(len(mcap.CompressionZSTD)))
	b = append(b, mcap.CompressionZSTD...)
	return binary.LittleEndian.AppendUint64(b, uint64(packed))
}

func (x *hostile) record(op mcap.OpCode, parts ...[]byte) {
	body := bytes.Join(parts, nil)
	x.file.WriteByte(byte(op))
	_ = binary.Write(&x.file, binary.LittleEndian, uint64(len(body))) // a buffer takes everything
	x.file.Write(body)
}

func (x *hostile) save(name string) string {
	x.t.Helper()
	path := filepath.Join(x.t.TempDir(), name+".mcap")
	if err := os.WriteFile(path, x.file.Bytes(), 0o600); err != nil {
		x.t.Fatal(err)
	}
	return path
}

// snapshotHead is a snapshot body up to its arrays.
func snapshotHead(frame byte, at time.Duration) []byte {
	b := append([]byte{frame, 1, 1, 0}, make([]byte, 12)...)
	b = binary.LittleEndian.AppendUint64(b, uint64(at))
	return append(b, make([]byte, 8+16+40+4+4)...)
}

// keyFrame is a snapshot of arrays of zeros, but for the first words of the ring.
func keyFrame(at time.Duration, control, slots, workers int, ring ...uint32) []byte {
	b := snapshotHead(1, at)
	for i, n := range []int{control, slots * tasks.SlotWords, workers * megakernel.WorkerWords} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
		words := make([]byte, 4*n)
		if i == 1 {
			for k, w := range ring {
				binary.LittleEndian.PutUint32(words[4*k:], w)
			}
		}
		b = append(b, words...)
	}
	return b
}

// emptyDelta is a snapshot in which nothing has changed but time.
func emptyDelta(at time.Duration) []byte { return append(snapshotHead(2, at), make([]byte, 12)...) }

// oneDelta is a snapshot in which the first word of the ring has changed.
func oneDelta(at time.Duration) []byte {
	b := append(snapshotHead(2, at), 0, 0, 0, 0, 3, 0, 0, 0, 0, 1, 2)
	return append(b, 0, 0, 0, 0)
}

func hostileHeader(slots int) fixtures.Header {
	return fixtures.Header{Target: megakernel.Target{
		Workload: "hostile", Backend: "reference", Renderer: "none", MaxWorkers: 4, WorkgroupSize: 32, Slots: slots,
		Opcodes: map[uint32]string{16: "scan"}, Protocol: megakernel.ProtocolVersion, Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}}
}

// ringOf are the words of a ring whose slots all hold a task.
func ringOf(slots int) []uint32 {
	var out []uint32
	for i := range slots {
		words := (&tasks.Task{State: tasks.Ready, Opcode: 16, TaskID: uint32(i)}).Words()
		out = append(out, words[:]...)
	}
	return out
}

// hostileFiles are recordings that ask a reader for much more than they are, by what they do.
func hostileFiles(t testing.TB) map[string]string {
	files := map[string]string{}
	file := func(name string, slots int, fill func(*hostile)) {
		x := newHostile(t, hostileHeader(slots))
		fill(x)
		files[name] = x.save(strings.ReplaceAll(name, " ", "-"))
	}
	file("a snapshot of 250 MiB", 64, func(x *hostile) {
		x.chunk(hostileMessage{channelSnapshot, 1, keyFrame(1, 250<<18, 1, 1)})
	})
	file("a chunk of 200 MiB of log", 64, func(x *hostile) {
		const n = 4_000_000
		x.chunk(hostileMessage{channelLog, 1, append(binary.LittleEndian.AppendUint32(nil, n), make([]byte, 52*n)...)})
	})
	file("20 chunks of 7 MiB", 64, func(x *hostile) {
		body := append(binary.LittleEndian.AppendUint32(nil, 140_000), make([]byte, 52*140_000)...)
		for i := range time.Duration(20) {
			x.chunk(hostileMessage{channelSnapshot, i, keyFrame(i, 160, 64, 4, ringOf(64)...)}, hostileMessage{channelLog, i, body})
		}
	})
	file("3000 empty deltas", 1<<15, func(x *hostile) {
		list := []hostileMessage{{channelSnapshot, 1, keyFrame(1, 160, 1<<15, 4)}}
		for i := range time.Duration(3000) {
			list = append(list, hostileMessage{channelSnapshot, 2 + i, emptyDelta(2 + i)})
		}
		x.chunk(list...)
	})
	file("400 small deltas of a large ring", 1<<15, func(x *hostile) {
		list := []hostileMessage{{channelSnapshot, 1, keyFrame(1, 160, 1<<15, 4)}}
		for i := range time.Duration(400) {
			list = append(list, hostileMessage{channelSnapshot, 2 + i, oneDelta(2 + i)})
		}
		x.chunk(list...)
	})
	file("a ring of 262,144 tasks", 1<<18, func(x *hostile) {
		x.chunk(hostileMessage{channelSnapshot, 1, keyFrame(1, 160, 1<<18, 4, ringOf(1<<18)...)})
	})
	file("200,000 events", 64, func(x *hostile) {
		list := []hostileMessage{{channelSnapshot, 1, keyFrame(1, 160, 64, 4)}}
		for range 200_000 {
			list = append(list, hostileMessage{channelEvent, 1, []byte("{}")})
		}
		x.chunk(list...)
	})
	h := hostileHeader(1 << 14)
	h.Target.Opcodes[16] = strings.Repeat("n", 70_000)
	x := newHostile(t, h)
	x.chunk(hostileMessage{channelSnapshot, 1, keyFrame(1, 160, 1<<14, 4, ringOf(1<<14)...)})
	files["a name of 70,000 characters"] = x.save("name")

	h = hostileHeader(64)
	h.Target.Buffers = []megakernel.BufferInfo{{Name: "own", Binding: megakernel.FirstUserBinding, Words: 1 << 40}}
	x = newHostile(t, h)
	x.chunk(hostileMessage{channelSnapshot, 1, keyFrame(1, 160, 64, 4)})
	files["a buffer of 4 TiB"] = x.save("buffer")
	files["a sparse chunk of 1 TiB"] = sparse(t)
	return files
}

// sparse is a recording of a chunk that takes no space on the disk.
func sparse(t testing.TB) string {
	x := newHostile(t, hostileHeader(64))
	const size = 1 << 40
	head := chunkHead(1, 2, 1000, size)
	x.file.WriteByte(byte(mcap.OpChunk))
	_ = binary.Write(&x.file, binary.LittleEndian, uint64(len(head)+size))
	x.file.Write(head)
	path := x.save("sparse")
	if err := os.Truncate(path, int64(x.file.Len())+size); err != nil {
		t.Fatal(err)
	}
	return path
}

// longRecording is an honest recording with that many debug-log records that they do not fit into the memory of a reader:
// of a size at least, 3,000,000 records for 0.
func longRecording(t testing.TB, bytes int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "long.mcap")
	w, err := fixtures.Create(path, hostileHeader(1024))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	control, _ := megakernel.EncodeControl(4, 0)
	ring := ringOf(1024)
	number := uint64(0)
	const batches, each = 46, 1 << 16
	for i := time.Duration(0); i < batches && bytes == 0 || sizeOf(t, path) < bytes; i++ {
		s := &megakernel.Snapshot{Seq: uint64(i), Taken: i * 100 * time.Millisecond, Consistent: true, Workers: 4, Lanes: 32, Phase: megakernel.PhaseResident,
			Control: control, Slots: append([]uint32{}, ring...), WorkerTable: make([]uint32, 4*megakernel.WorkerWords)}
		s.Slots[tasks.WordYieldCount] = uint32(i)
		w.Snapshot(s)
		block := megakernel.LogBlock{First: number, Words: make([]uint32, each*megakernel.LogRecordWords)}
		for at := 0; at < len(block.Words); at += megakernel.LogRecordWords {
			block.Words[at+megakernel.LogFormat] = megakernel.LogEventBase + uint32(megakernel.EventYield)
			block.Words[at+megakernel.LogTask] = random.Uint32N(1024)
			block.Words[at+megakernel.LogOpcode] = 16
			if bytes > 0 {
				block.Words[at+megakernel.LogArgs], block.Words[at+megakernel.LogArg0] = 1, random.Uint32()
			}
			block.Words[at+megakernel.LogTime] = uint32(number)
			number++
		}
		w.LogBlocks(megakernel.LogBlocks{block})
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if lost := w.Lost(); !lost.Empty() {
		t.Fatal(lost.String())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func sizeOf(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// measured is vyretop, which writes the most memory that it had, in KiB, to the file of a variable.
func measured() {
	status := doMain(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ())
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
	for line := range strings.Lines(string(text)) {
		if kib, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			if err := os.WriteFile(os.Getenv("VYRETOP_MEASURED"), []byte(strings.TrimSuffix(strings.TrimSpace(kib), " kB")), 0o600); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(99)
			}
		}
	}
	os.Exit(status)
}
