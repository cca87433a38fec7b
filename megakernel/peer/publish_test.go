package peer_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/megakernel"
	"vyretop/megakernel/peer"
	"vyretop/tasks"
)

func emptyRing(t testing.TB, slots uint32) []uint32 {
	t.Helper()
	ring, err := peer.EmptyRing(slots)
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func TestPublish(t *testing.T) {
	ring := emptyRing(t, 2)
	copy(ring[tasks.SlotWords:], []uint32{uint32(tasks.Done), 9, 9, 9, 9, 9, 9})
	if err := peer.Publish(ring, 1, 4, peer.Operation{Opcode: 300, Args: []uint32{7, 8}}); err != nil {
		t.Fatal(err)
	}
	want := emptyRing(t, 2)
	copy(want[tasks.SlotWords:], []uint32{uint32(tasks.Ready), 300, 4, uint32(tasks.Normal), 7, 8})
	if !slices.Equal(ring, want) {
		t.Errorf("ring %v", ring)
	}
}

// TestPublishRefuses: what cannot be published is an error, and leaves the ring as it was.
func TestPublishRefuses(t *testing.T) {
	busy := emptyRing(t, 3)
	busy[tasks.SlotWords] = uint32(tasks.Paused)
	op := peer.Operation{Opcode: 300}
	tests := []struct {
		name    string
		publish func(ring []uint32) error
		kind    error
	}{
		{"part of a slot", func(r []uint32) error { return peer.Publish(r[:17], 0, 0, op) }, peer.ErrMisaligned},
		{"behind the ring", func(r []uint32) error { return peer.Publish(r, 3, 0, op) }, peer.ErrPublish},
		{"slot 2^32-1", func(r []uint32) error { return peer.Publish(r, math.MaxUint32, 0, op) }, peer.ErrPublish},
		{"slot in use", func(r []uint32) error { return peer.Publish(r, 1, 0, op) }, peer.ErrPublish},
		{"reserved opcode", func(r []uint32) error { return peer.Publish(r, 0, 0, peer.Operation{Opcode: 0xFFF0}) }, peer.ErrPublish},
		{"too many arguments", func(r []uint32) error {
			return peer.Publish(r, 0, 0, peer.Operation{Opcode: 300, Args: make([]uint32, 13)})
		}, peer.ErrPublish},
		{"batch over a slot in use", func(r []uint32) error { _, err := peer.PublishBatch(r, 0, 0, []peer.Operation{op}, 1); return err }, peer.ErrPublish},
		{"items over a slot in use", func(r []uint32) error {
			_, err := peer.PublishItems(r, 0, 0, []peer.WorkItem{{Opcode: 300}, {Opcode: 300}})
			return err
		}, peer.ErrPublish},
		{"no items behind the ring", func(r []uint32) error { _, err := peer.PublishItems(r, 4, 0, nil); return err }, peer.ErrPublish},
		{"window whose second part is too long", func(r []uint32) error {
			_, err := peer.PublishWindow(r, 2, 0, &peer.WindowSpec{Opcode: 300, Required: [][]uint32{make([]uint32, 11)}})
			return err
		}, peer.ErrPublish},
		{"packed operations that do not fit", func(r []uint32) error { return peer.PublishPacked(r, 0, 0, make([]peer.PackedOperation, 24)) }, peer.ErrPublish},
	}
	for _, tt := range tests {
		ring := slices.Clone(busy)
		fails(t, tt.name, tt.publish(ring), tt.kind)
		if !slices.Equal(ring, busy) {
			t.Errorf("%s: the ring changed", tt.name)
		}
	}
}

func TestPublishSeveral(t *testing.T) {
	ring := emptyRing(t, 8)
	n, err := peer.PublishBatch(ring, 0, 1, []peer.Operation{{Opcode: 300, Args: []uint32{1}}, {Opcode: 301}}, 77)
	if n != 3 || err != nil || ring[2*tasks.SlotWords+tasks.WordOpcode] != megakernel.OpcodeBatchFence || ring[2*tasks.SlotWords+4] != 2 || ring[2*tasks.SlotWords+5] != 77 {
		t.Errorf("batch: %d, %v, fence %v", n, err, ring[32:48])
	}
	n, err = peer.PublishItems(ring, 3, 1, []peer.WorkItem{{300, 1, 2, 3}})
	if n != 1 || err != nil || !slices.Equal(ring[3*tasks.SlotWords:][:7], []uint32{1, 300, 1, 2, 1, 2, 3}) {
		t.Errorf("items: %d, %v, %v", n, err, ring[48:64])
	}
	n, err = peer.PublishWindow(ring, 4, 1, &peer.WindowSpec{Opcode: 9, Ticket: 5, Required: [][]uint32{{6}}, Lookahead: [][]uint32{{7}, nil}})
	if n != 3 || err != nil || !slices.Equal(ring[4*tasks.SlotWords+4:][:3], []uint32{5, 0, 6}) || !slices.Equal(ring[6*tasks.SlotWords+4:][:3], []uint32{5, 1, 0}) {
		t.Errorf("window: %d, %v", n, err)
	}
	if n, err := peer.PublishWindow(ring, 99, 1, &peer.WindowSpec{Opcode: 9}); n != 0 || err != nil {
		t.Errorf("empty window: %d, %v", n, err)
	}
}

// TestBatchKeepsCallersSlice: the fence is not written into the caller's memory behind its operations.
func TestBatchKeepsCallersSlice(t *testing.T) {
	ops := []peer.Operation{{Opcode: 300}, {Opcode: 301}}
	if _, err := peer.PublishBatch(emptyRing(t, 4), 0, 0, ops[:1], 1); err != nil || ops[1].Opcode != 301 {
		t.Errorf("%v, second operation %d", err, ops[1].Opcode)
	}
}

// TestPackRoundTrip: unpacking gives every operation its arguments, and those of the ones behind it.
func TestPackRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) peer.PackedOperation {
			return peer.PackedOperation{Opcode: rapid.Byte().Draw(t, "opcode"), Args: rapid.SliceOfN(rapid.Uint32(), 0, 3).Draw(t, "args")}
		}), 0, 24).Draw(t, "operations")
		packed, err := peer.Pack(drawn)
		if err != nil {
			if !errors.Is(err, peer.ErrPublish) {
				t.Fatal(err)
			}
			return
		}
		var args [tasks.ArgWords]uint32
		copy(args[:], packed)
		ops, err := peer.Unpack(&args)
		if err != nil || len(ops) != len(drawn) {
			t.Fatalf("%d operations, %v", len(ops), err)
		}
		for i, op := range ops {
			if op.Opcode != drawn[i].Opcode || !slices.Equal(op.Args[:len(drawn[i].Args)], drawn[i].Args) {
				t.Errorf("operation %d: %+v, want %+v", i, op, drawn[i])
			}
		}
	})
}

// TestPackAcceptsWhatRuns: the peer packs 23 operations and runs 4; ours unpacks all that it packs.
func TestPackAcceptsWhatRuns(t *testing.T) {
	packed, err := peer.Pack(make([]peer.PackedOperation, 23))
	if err != nil || len(packed) != tasks.ArgWords {
		t.Fatalf("%d words, %v", len(packed), err)
	}
	if ops, err := peer.Unpack((*[tasks.ArgWords]uint32)(packed)); len(ops) != 23 || err != nil {
		t.Errorf("%d operations, %v", len(ops), err)
	}
}

// FuzzUnpack: any argument words are operations or an error.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte{1, 2, 2, 0})
	f.Add([]byte{4, 55, 7, 0, 4, 1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		words, _ := peer.Words("ring", b[:len(b)/4*4])
		var args [tasks.ArgWords]uint32
		copy(args[:], words)
		ops, err := peer.Unpack(&args)
		if err != nil && (!errors.Is(err, peer.ErrPublish) || !strings.Contains(err.Error(), "Fix: ")) {
			t.Errorf("%v", err)
		}
		for _, op := range ops {
			if len(op.Args) > tasks.ArgWords {
				t.Errorf("%d arguments", len(op.Args))
			}
		}
	})
}

func TestIOQueueLife(t *testing.T) {
	q, err := peer.NewIOQueue(2)
	if err != nil {
		t.Fatal(err)
	}
	read := peer.IORequest{Slot: 1, Op: megakernel.IORead, Src: 3, Dst: 4, Offset: 5<<32 | 6, Bytes: 7, Tag: 8}
	step := func(name string, err error) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !q.Recycled(1) || q.Recycled(2) {
		t.Error("an empty slot is not recycled, or one that is not there is")
	}
	step("submit", q.Submit(read))
	fails(t, "submit again", q.Submit(read), peer.ErrQueueSlot)
	fails(t, "complete before the claim", q.Complete(peer.IOCompletion{Slot: 1}), peer.ErrQueueSlot)
	if got := q.Poll(nil); !reflect.DeepEqual(got, []peer.IORequest{read}) {
		t.Errorf("polled %+v", got)
	}
	if got := q.Claim(nil); !reflect.DeepEqual(got, []peer.IORequest{read}) || len(q.Poll(nil)) != 0 {
		t.Errorf("claimed %+v", got)
	}
	fails(t, "recycle before the answer", q.Recycle(1), peer.ErrQueueSlot)
	fails(t, "complete one that is claimed and one that is not", q.Complete(peer.IOCompletion{Slot: 1}, peer.IOCompletion{Slot: 0}), peer.ErrQueueSlot)
	if q.Words()[megakernel.IOWords+megakernel.IOStatus] != megakernel.IOClaimed {
		t.Error("a batch that failed answered a request")
	}
	step("complete", q.Complete(peer.IOCompletion{Slot: 1, OK: true}))
	fails(t, "complete again", q.Complete(peer.IOCompletion{Slot: 1}), peer.ErrQueueSlot)
	if r, ok := q.Request(1); r != read || !ok {
		t.Errorf("request %+v, %v", r, ok)
	}
	step("recycle", q.Recycle(1))
	if _, ok := q.Request(1); ok || slices.Max(q.Words()) != 0 {
		t.Error("a recycled slot still holds a request")
	}
	step("submit into a recycled slot", q.Submit(read))
}

func TestIOQueueRefuses(t *testing.T) {
	for _, n := range []uint32{0, megakernel.IOSlots + 1, math.MaxUint32} {
		_, err := peer.NewIOQueue(n)
		fails(t, "new", err, peer.ErrQueueSlot)
	}
	_, err := peer.OpenIOQueue(make([]uint32, 9))
	fails(t, "part of a slot", err, peer.ErrMisaligned)
	_, err = peer.OpenIOQueue(make([]uint32, 65*8))
	fails(t, "65 slots", err, peer.ErrQueueSlot)
	q, err := peer.OpenIOQueue(make([]uint32, 8))
	if err != nil {
		t.Fatal(err)
	}
	fails(t, "submit behind the queue", q.Submit(peer.IORequest{Slot: 1}), peer.ErrQueueSlot)
	fails(t, "complete behind the queue", q.Complete(peer.IOCompletion{Slot: math.MaxUint32}), peer.ErrQueueSlot)
	fails(t, "recycle behind the queue", q.Recycle(1), peer.ErrQueueSlot)
}

// TestIOQueueLosesNothing: whatever host and device do, every submitted request is answered once and its
// slot can be used again.
func TestIOQueueLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, err := peer.NewIOQueue(rapid.Uint32Range(1, 8).Draw(t, "slots"))
		if err != nil {
			t.Fatal(err)
		}
		submitted, answered := 0, 0
		var claimed []peer.IORequest
		t.Repeat(map[string]func(*rapid.T){
			"submit": func(t *rapid.T) {
				if q.Submit(peer.IORequest{Slot: rapid.Uint32Range(0, q.Slots()-1).Draw(t, "slot"), Op: megakernel.IORead, Tag: uint32(submitted)}) == nil {
					submitted++
				}
			},
			"claim": func(*rapid.T) { claimed = q.Claim(claimed) },
			"answer": func(t *rapid.T) {
				for _, r := range claimed {
					if err := q.Complete(peer.IOCompletion{Slot: r.Slot, OK: true}); err != nil {
						t.Fatal(err)
					}
					if err := q.Recycle(r.Slot); err != nil {
						t.Fatal(err)
					}
					answered++
				}
				claimed = nil
			},
			"": func(t *rapid.T) {
				if waiting := len(q.Poll(nil)); submitted != answered+len(claimed)+waiting {
					t.Fatalf("%d submitted, %d answered, %d claimed, %d wait", submitted, answered, len(claimed), waiting)
				}
			},
		})
	})
}

// FuzzBuffers: publishing into any ring, and working any queue, ends in a change or a typed error.
func FuzzBuffers(f *testing.F) {
	f.Add(make([]byte, 128), uint32(0), uint32(300), uint32(2))
	f.Add([]byte{1, 2, 3}, uint32(math.MaxUint32), megakernel.OpcodeShutdown, uint32(math.MaxUint32))
	f.Fuzz(func(t *testing.T, b []byte, slot, opcode, n uint32) {
		words, err := peer.Words("ring", b)
		errs := []error{err}
		args := slices.Clone(words[:min(len(words), int(n%16))])
		errs = append(errs, peer.Publish(slices.Clone(words), slot, n, peer.Operation{Opcode: opcode, Args: args}))
		_, err = peer.PublishBatch(slices.Clone(words), slot, n, make([]peer.Operation, n%8), n)
		errs = append(errs, err)
		_, err = peer.PublishWindow(slices.Clone(words), slot, n, &peer.WindowSpec{Opcode: opcode, Required: [][]uint32{args}, Lookahead: make([][]uint32, n%8)})
		errs = append(errs, err)
		if q, err := peer.OpenIOQueue(words); err != nil {
			errs = append(errs, err)
		} else {
			waiting := len(q.Poll(nil))
			errs = append(errs, q.Complete(peer.IOCompletion{Slot: slot}), q.Recycle(slot), q.Submit(peer.IORequest{Slot: slot}))
			if claimed := q.Claim(nil); len(claimed) < waiting || len(q.Poll(nil)) != 0 {
				t.Errorf("%d waited, %d claimed, %d wait still", waiting, len(claimed), len(q.Poll(nil)))
			}
		}
		for _, err := range errs {
			if err != nil && !strings.Contains(err.Error(), "Fix: ") {
				t.Errorf("%v", err)
			}
		}
	})
}
