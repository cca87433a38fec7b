package peer_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/megakernel/peer"
)

func newLog(t testing.TB, capacity uint64) *peer.ReplayLog {
	t.Helper()
	l, err := peer.NewReplayLog(capacity)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestReplayLogIsARing: a log holds the newest records, oldest first, also after it was opened again.
func TestReplayLogIsARing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.Uint64Range(1, 6).Draw(t, "capacity")
		l, err := peer.NewReplayLog(capacity)
		if err != nil {
			t.Fatal(err)
		}
		var want []peer.ReplayRecord
		for i := range rapid.IntRange(0, 20).Draw(t, "records") {
			r := peer.ReplayRecord{Time: uint64(i) << 40, Slot: uint32(i), Tenant: 2, Opcode: 3, Args: [4]uint32{4, 5, 6, uint32(i)}, Epoch: 8}
			if err := l.Append(r); err != nil {
				t.Fatal(err)
			}
			want = append(want, r)
			if rapid.Bool().Draw(t, "reopen") {
				if l, err = peer.OpenReplayLog(l.Bytes()); err != nil {
					t.Fatal(err)
				}
			}
		}
		want = want[max(0, len(want)-int(capacity)):]
		if got, err := l.Records(); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%+v, %v, want %+v", got, err, want)
		}
	})
}

func TestReplayLogRefuses(t *testing.T) {
	good := newLog(t, 2)
	if err := good.Append(peer.ReplayRecord{Slot: 1}); err != nil {
		t.Fatal(err)
	}
	change := func(at int, v uint32) []byte {
		b := slices.Clone(good.Bytes())
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	tests := []struct {
		name string
		file []byte
		kind error
	}{
		{"nothing", nil, peer.ErrReplayShort},
		{"part of the header", good.Bytes()[:31], peer.ErrReplayShort},
		{"another file", change(0, 7), peer.ErrReplayFormat},
		{"another version", change(8, 2), peer.ErrReplayFormat},
		{"no capacity", change(16, 0), peer.ErrReplayCapacity},
		{"too much capacity", change(20, 1), peer.ErrReplayCapacity},
		{"records missing", good.Bytes()[:159], peer.ErrReplayShort},
		{"more capacity than records", change(16, 3), peer.ErrReplayShort},
		{"a damaged record", change(32, 1), peer.ErrReplayFormat},
	}
	for _, tt := range tests {
		l, err := peer.OpenReplayLog(tt.file)
		if err == nil {
			_, err = l.Records()
		}
		fails(t, tt.name, err, tt.kind)
	}
	for _, n := range []uint64{0, peer.MaxItems + 1} {
		_, err := peer.NewReplayLog(n)
		fails(t, "capacity", err, peer.ErrReplayCapacity)
	}
	short, err := peer.OpenReplayLog(good.Bytes()[:100])
	if err != nil {
		t.Fatal(err)
	}
	fails(t, "append to a file that breaks off", short.Append(peer.ReplayRecord{}), peer.ErrReplayShort)
}

// TestReplayCursorGoesAround: a cursor beyond the capacity, which the peer never writes, is taken around.
func TestReplayCursorGoesAround(t *testing.T) {
	b := newLog(t, 4).Bytes()
	binary.LittleEndian.PutUint64(b[24:], 1<<63+2)
	if l, err := peer.OpenReplayLog(b); err != nil || l.Cursor() != 2 || l.Capacity() != 4 {
		t.Errorf("%+v, %v", l, err)
	}
}

// FuzzReplayLog: any file is records or an error.
func FuzzReplayLog(f *testing.F) {
	l := newLog(f, 2)
	if err := l.Append(peer.ReplayRecord{Slot: 1}); err != nil {
		f.Fatal(err)
	}
	f.Add(l.Bytes())
	f.Add(l.Bytes()[:40])
	f.Fuzz(func(t *testing.T, file []byte) {
		l, err := peer.OpenReplayLog(file)
		if err == nil {
			_, err = l.Records()
		}
		var replay *peer.ReplayError
		if err != nil && (!errors.As(err, &replay) || !strings.Contains(err.Error(), "Fix: ")) {
			t.Errorf("%v", err)
		}
	})
}
