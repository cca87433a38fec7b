package engine_test

import (
	"bytes"
	"runtime"
	"slices"
	"testing"

	"vyretop/engine"
)

func TestPutStructWritesItsWordsAndNoOthers(t *testing.T) {
	w := engine.Words{9, 9, 9, 9, 9}
	engine.PutStruct(w, 1, &struct{ A, B, C uint32 }{1, 1 << 31, 3})
	if want := (engine.Words{9, 1, 1 << 31, 3, 9}); !slices.Equal(w, want) {
		t.Fatalf("words %v, want %v", w, want)
	}
}

func TestPutStructRefusesWhatDoesNotFit(t *testing.T) {
	w := make(engine.Words, 4)
	defer func() {
		if recover() == nil {
			t.Fatal("three words were written behind the third of four")
		}
	}()
	engine.PutStruct(w, 2, &struct{ A, B, C uint32 }{1, 2, 3})
}

// What is written before a release is visible to a reader that sees the release.
func TestReleasePublishesWhatWasWrittenBefore(t *testing.T) {
	const rounds = 5000
	w := make(engine.Words, 2) // value, and the round it belongs to
	seen := make(engine.Words, 1)
	go func() {
		for n := uint32(1); n <= rounds; n++ {
			for seen.Load(0) != n-1 {
				runtime.Gosched()
			}
			w[0] = 7 * n
			w.Release(1, n)
		}
	}()
	for n := uint32(1); n <= rounds; n++ {
		for w.Load(1) != n {
			runtime.Gosched()
		}
		if w[0] != 7*n {
			t.Fatalf("round %d: value %d", n, w[0])
		}
		seen.Store(0, n)
	}
}

// TestCopyOfTheLastWord: a copy of one word pointed to a pair of them, of which the second was outside the
// allocation. The checks of a race build notice.
func TestCopyOfTheLastWord(t *testing.T) {
	for _, n := range []int{1, 3, 0x8001} { // the last one ends where its pages do not
		w := make(engine.Words, n)
		w[n-1] = 7
		got := make([]uint32, 0x8000)[:1]
		w.CopyTo(got, n-1)
		if got[0] != 7 {
			t.Errorf("of %d words the last is read as %d", n, got[0])
		}
	}
}

// TestWordsAreLittleEndian: bytes become words and the other way round, and a word that is not whole is passed over.
func TestWordsAreLittleEndian(t *testing.T) {
	b := engine.AppendWords([]byte{9}, []uint32{0x04030201, 0xfffefdfc})
	if want := []byte{9, 1, 2, 3, 4, 0xfc, 0xfd, 0xfe, 0xff}; !bytes.Equal(b, want) {
		t.Errorf("words became %x, want %x", b, want)
	}
	if got, want := engine.DecodeWords(append(b[1:], 5, 6, 7)), []uint32{0x04030201, 0xfffefdfc}; !slices.Equal(got, want) {
		t.Errorf("bytes became %x, want %x", got, want)
	}
}
