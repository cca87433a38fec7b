package megakernel

import (
	"encoding/binary"
	"testing"
)

func bytesOf(words []uint32) []byte {
	out := make([]byte, 0, 4*len(words))
	for _, w := range words {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

func wordsOf(b []byte) []uint32 {
	out := make([]uint32, len(b)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return out
}

func TestIOQueueDecodesEveryWord(t *testing.T) {
	words := EncodeIOQueue()
	if len(words) != 512 {
		t.Fatalf("an empty queue has %d words, want 512", len(words))
	}
	copy(words[3*IOWords:], []uint32{2, 11, 12, 0xAAAAAAAA, 0xBBBBBBBB, 13, IOClaimed, 14})
	got, err := DecodeIOQueue(words)
	if err != nil {
		t.Fatal(err)
	}
	want := IORequest{Op: IOWrite, Src: 11, Dst: 12, Offset: 0xBBBBBBBB_AAAAAAAA, Bytes: 13, Status: IOClaimed, Tag: 14}
	for i, r := range got {
		if i == 3 && r != want || i != 3 && r != (IORequest{}) {
			t.Errorf("request %d is %+v", i, r)
		}
	}
}

func TestIOQueueIsStrict(t *testing.T) {
	tests := []struct {
		op, status uint32
		ok         bool
	}{
		{0, IOEmpty, true}, {99, IOEmpty, true},
		{IORead, IOPublished, true}, {IOWrite, IOOK, true}, {IOFence, IOError, true},
		{0, IOPublished, false}, {4, IOPublished, false}, {IORead, 3, false}, {IORead, 0x12, false},
	}
	for _, tt := range tests {
		words := EncodeIOQueue()
		words[5*IOWords+IOOp], words[5*IOWords+IOStatus] = tt.op, tt.status
		_, err := DecodeIOQueue(words)
		if (err == nil) != tt.ok || !tt.ok && !isFormatError(err, "io queue") {
			t.Errorf("op %d, status %#x: %v", tt.op, tt.status, err)
		}
	}
	for _, n := range []int{0, 511, 513} {
		if _, err := DecodeIOQueue(make([]uint32, n)); !isFormatError(err, "io queue") {
			t.Errorf("%d words: %v", n, err)
		}
	}
}

func FuzzDecodeIOQueue(f *testing.F) {
	f.Add(bytesOf(EncodeIOQueue()))
	f.Fuzz(func(t *testing.T, b []byte) {
		words := make([]uint32, IOSlots*IOWords)
		copy(words, wordsOf(b))
		if _, err := DecodeIOQueue(words); err != nil && !isFormatError(err, "io queue") {
			t.Errorf("untyped error %v", err)
		}
	})
}
