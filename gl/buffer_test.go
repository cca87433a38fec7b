//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine"
)

var classes = []engine.Placement{engine.HostVisible, engine.DeviceLocal}

// TestBuffersStartZeroedAndCopyBack writes and reads windows of buffers of both classes, larger
// than one staged step.
func TestBuffersStartZeroedAndCopyBack(t *testing.T) {
	b := testBackend(t)
	for _, class := range classes {
		t.Run(class.String(), func(t *testing.T) {
			const n = 2*stagingWords + 17
			buf := allocate(t, b, n, class)
			for i, v := range read(t, buf) {
				if v != 0 {
					t.Fatalf("word %d is %d in a new buffer", i, v)
				}
			}
			src := make([]uint32, stagingWords+5)
			for i := range src {
				src[i] = uint32(i) * 2654435761
			}
			const at = stagingWords - 3
			check(t, buf.Upload(within(t), at, src))
			for i, v := range read(t, buf) {
				want := uint32(0)
				if i >= at && i < at+len(src) {
					want = src[i-at]
				}
				if v != want {
					t.Fatalf("word %d is %#x, want %#x", i, v, want)
				}
			}
		})
	}
}

// TestCopiesFollowAModel uploads and downloads random windows of a buffer of each class and compares
// with a slice.
func TestCopiesFollowAModel(t *testing.T) {
	b := testBackend(t)
	const n = 300
	for _, class := range classes {
		buf := allocate(t, b, n, class)
		model := make([]uint32, n)
		rapid.Check(t, func(rt *rapid.T) {
			at := rapid.IntRange(0, n).Draw(rt, "at")
			words := rapid.SliceOfN(rapid.Uint32(), 0, n-at).Draw(rt, "words")
			if err := buf.Upload(t.Context(), at, words); err != nil {
				rt.Fatal(err)
			}
			copy(model[at:], words)
			from := rapid.IntRange(0, n).Draw(rt, "from")
			got := make([]uint32, rapid.IntRange(0, n-from).Draw(rt, "length"))
			if err := buf.Download(t.Context(), from, got); err != nil {
				rt.Fatal(err)
			}
			if !slices.Equal(got, model[from:from+len(got)]) {
				rt.Fatalf("%v: words %d to %d differ from the model", class, from, from+len(got))
			}
		})
	}
}

// TestRecycledBuffersAreZeroed fills, frees and allocates again: the driver may hand out the same memory.
func TestRecycledBuffersAreZeroed(t *testing.T) {
	b := testBackend(t)
	ones := make([]uint32, 4096)
	for i := range ones {
		ones[i] = math.MaxUint32
	}
	for _, class := range classes {
		for range 8 {
			buf, err := b.Allocate(within(t), "recycled", len(ones), class)
			check(t, err)
			for i, v := range read(t, buf) {
				if v != 0 {
					t.Fatalf("%v: word %d is %#x in a new buffer", class, i, v)
				}
			}
			check(t, buf.Upload(within(t), 0, ones))
			check(t, buf.Free())
		}
	}
}

// TestPlacementIsHonoured expects the requested class unless a probe found only one.
func TestPlacementIsHonoured(t *testing.T) {
	b := testBackend(t)
	for _, class := range classes {
		buf := allocate(t, b, 10, class)
		if buf.Placement() != class {
			t.Errorf("asked for %v, got %v", class, buf.Placement())
		}
		if mapped := buf.Words() != nil; mapped != (class == engine.HostVisible) {
			t.Errorf("%v: mapped is %v", class, mapped)
		}
		if buf.Size() != 10 || buf.Name() != "test" {
			t.Errorf("size %d, name %q", buf.Size(), buf.Name())
		}
	}
}

// TestCopiesOutOfRangeAreRefused checks the ends of the range and that nothing is copied.
func TestCopiesOutOfRangeAreRefused(t *testing.T) {
	b := testBackend(t)
	for _, class := range classes {
		buf := allocate(t, b, 8, class)
		for _, c := range []struct{ offset, n int }{{-1, 1}, {8, 1}, {7, 2}, {0, 9}, {math.MaxInt, 1}, {math.MinInt, 1}} {
			words := make([]uint32, c.n)
			words[0] = 7
			if err := buf.Upload(t.Context(), c.offset, words); !errors.Is(err, engine.ErrInvalidProgram) {
				t.Errorf("%v: upload of %d words at %d: %v", class, c.n, c.offset, err)
			}
			if err := buf.Download(t.Context(), c.offset, words); !errors.Is(err, engine.ErrInvalidProgram) || words[0] != 7 {
				t.Errorf("%v: download of %d words at %d: %v", class, c.n, c.offset, err)
			}
		}
		check(t, buf.Upload(t.Context(), 8, nil))
		for i, v := range read(t, buf) {
			if v != 0 {
				t.Errorf("%v: word %d is %d after refused copies", class, i, v)
			}
		}
	}
}

// TestFreedBuffersAreRefused covers every use of a buffer after Free.
func TestFreedBuffersAreRefused(t *testing.T) {
	b := testBackend(t)
	pl := compile(t, b, squaresProgram())
	buf, err := b.Allocate(t.Context(), "gone", 64, engine.HostVisible)
	check(t, err)
	check(t, buf.Free())
	_, startErr := pl.Start(t.Context(), bindings(buf), row(1))
	for name, err := range map[string]error{
		"free": buf.Free(), "start": startErr,
		"upload": buf.Upload(t.Context(), 0, []uint32{1}), "download": buf.Download(t.Context(), 0, make([]uint32, 1)),
	} {
		if !errors.Is(err, engine.ErrInvalidProgram) {
			t.Errorf("%s after Free: %v", name, err)
		}
	}
	if buf.Words() != nil {
		t.Error("a freed buffer still has a view")
	}
}

// TestBusyBuffersAreNotFreed expects Free to refuse while a kernel uses the memory.
func TestBusyBuffersAreNotFreed(t *testing.T) {
	h := newHolder(t, testBackend(t))
	p := h.start(t, engine.DispatchConfig{})
	if err := h.buffer.Free(); !errors.Is(err, engine.ErrInvalidProgram) {
		t.Errorf("Free under a running kernel: %v", err)
	}
	h.stop()
	wait(t, p)
}

// TestMappedCopiesDoNotWaitForTheKernel copies through the mapping while a kernel occupies the thread.
func TestMappedCopiesDoNotWaitForTheKernel(t *testing.T) {
	b := testBackend(t)
	h := newHolder(t, b)
	buf := allocate(t, b, 64, engine.HostVisible)
	p := h.start(t, engine.DispatchConfig{})
	check(t, buf.Upload(t.Context(), 3, []uint32{11}))
	got := make([]uint32, 1)
	check(t, buf.Download(t.Context(), 3, got))
	select {
	case <-p.Done():
		t.Error("the kernel ended before the copies")
	default:
	}
	if got[0] != 11 {
		t.Errorf("read back %d", got[0])
	}
	h.stop()
	wait(t, p)
}

// TestCancelledCommandsLeaveNothing gives up an allocation and a copy behind a running kernel.
func TestCancelledCommandsLeaveNothing(t *testing.T) {
	b := testBackend(t)
	h := newHolder(t, b)
	local := allocate(t, b, 64, engine.DeviceLocal)
	check(t, local.Upload(within(t), 0, []uint32{1})) // makes the staging buffer
	p := h.start(t, engine.DispatchConfig{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if buf, err := b.Allocate(ctx, "late", 64, engine.HostVisible); err == nil {
		check(t, buf.Free()) // the device was free for it: a kernel does not block its thread
	} else if !errors.Is(err, context.Canceled) {
		t.Errorf("Allocate: %v", err)
	}
	if err := local.Upload(ctx, 0, []uint32{2}); !errors.Is(err, context.Canceled) {
		t.Errorf("Upload: %v", err)
	}
	h.stop()
	wait(t, p)
	check(t, local.Upload(within(t), 0, []uint32{3}))
	if got := read(t, local)[0]; got != 3 {
		t.Errorf("word 0 is %d, want 3", got)
	}
}

// TestSizesOutOfRangeAreRefused covers empty and too large buffers.
func TestSizesOutOfRangeAreRefused(t *testing.T) {
	b := testBackend(t)
	for _, n := range []int{0, -1, math.MinInt} {
		if _, err := b.Allocate(t.Context(), "empty", n, engine.HostVisible); !errors.Is(err, engine.ErrInvalidProgram) {
			t.Errorf("%d words: %v", n, err)
		}
	}
	if _, err := b.Allocate(t.Context(), "wrapped", 1<<62, engine.HostVisible); !errors.Is(err, engine.ErrDeviceOutOfMemory) {
		t.Errorf("a size that wraps to 0 bytes: %v", err)
	}
	_, err := b.Allocate(t.Context(), "huge", math.MaxInt, engine.HostVisible)
	e, ok := errors.AsType[*engine.Error](err)
	if !ok || e.Code != engine.CodeDeviceOutOfMemory || e.Requested == 0 || e.Available == 0 {
		t.Errorf("too large: %v", err)
	}
}

// TestCloseUnderTraffic closes a backend while others allocate and copy: every call succeeds or says that
// the backend is closed, and none touches memory that is gone.
func TestCloseUnderTraffic(t *testing.T) {
	b, err := Open(within(t), Options{Device: testDevice(t), SkipProbes: true})
	check(t, err)
	var begun, wg sync.WaitGroup
	for i := range 4 {
		begun.Add(1)
		wg.Go(func() {
			for n := 0; ; n++ {
				buf, err := b.Allocate(context.Background(), "traffic", 50_000, classes[i%2])
				if err == nil {
					err = buf.Upload(context.Background(), 1, make([]uint32, 40_000))
				}
				if err == nil {
					err = buf.Free()
				}
				if n == 3 {
					begun.Done()
				}
				if err != nil {
					if !errors.Is(err, engine.ErrPoisoned) || n < 3 {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	begun.Wait()
	check(t, b.Close())
	wg.Wait()
}
