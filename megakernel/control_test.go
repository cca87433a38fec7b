package megakernel

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestEncodeControlWritesTheFixedWords(t *testing.T) {
	words, err := EncodeControl(2, 5)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]uint32, 165)
	want[2], want[3], want[4] = 3, math.MaxUint32, math.MaxUint32
	want[32], want[33] = 1_000_000, 1_000_000
	if diff := cmp.Diff(want, words); diff != "" {
		t.Errorf("control words (-want +got):\n%s", diff)
	}
}

func TestEncodeControlRefusesWhatDoesNotFit(t *testing.T) {
	for observables, ok := range map[uint32]bool{0: true, MaxObservables: true, MaxObservables + 1: false, math.MaxUint32: false} {
		_, err := EncodeControl(1, observables)
		if (err == nil) != ok || !ok && !isFormatError(err, "control") {
			t.Errorf("%d observables: %v", observables, err)
		}
	}
}

func TestDecodeControlIsStrict(t *testing.T) {
	words, err := EncodeControl(1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := DecodeControl(words[:159]); !isFormatError(err, "control") {
		t.Errorf("159 words: %v", err)
	}
	words[CtrlTenantBase] = 4
	if _, err := DecodeControl(words); !isFormatError(err, "control") {
		t.Errorf("another tenant base: %v", err)
	}
}

// TestControlDecodesEveryWordOnce: with a different value in every word, the decoded fields hold
// all words but the tenant base and the reserved ones, each once.
func TestControlDecodesEveryWordOnce(t *testing.T) {
	words := make([]uint32, ControlMinWords+4)
	for i := range words {
		words[i] = uint32(1000 + i)
	}
	words[CtrlTenantBase] = CtrlTenantMask0
	c, err := DecodeControl(words)
	if err != nil {
		t.Fatal(err)
	}
	got := []uint32{c.Shutdown, c.DoneCount}
	got = append(got, c.TenantMask[:]...)
	got = append(got, c.TenantQuota[:]...)
	got = append(got, c.TenantFair[:]...)
	got = append(got, c.Metrics[:]...)
	got = append(got, c.Epoch)
	got = append(got, c.PriorityOffsets[:]...)
	got = append(got, c.Starvation)
	got = append(got, c.PriorityFair[:]...)
	got = append(got, c.QuotaWaits)
	got = append(got, c.Observables...)
	var want []uint32
	for i, w := range words {
		if i != CtrlTenantBase && (i < CtrlReserved0 || i >= CtrlObservable0) {
			want = append(want, w)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decoded words (-want +got):\n%s", diff)
	}
}

func TestControlWordNamesAreDistinct(t *testing.T) {
	seen := map[string]int{}
	for i := range ControlMinWords + 3 {
		name := ControlWordName(i)
		if other, dup := seen[name]; dup {
			t.Errorf("words %d and %d are both called %q", other, i, name)
		}
		seen[name] = i
	}
	for i, want := range map[int]string{
		-1: "?", 0: "shutdown", 1: "done_count", 2: "tenant_base", 3: "tenant_mask[0]", 31: "tenant_mask[28]", 32: "tenant_quota[0]",
		64: "tenant_served[0]", 96: "metric[op 0]", 128: "epoch", 129: "priority_offset[0]", 134: "priority_offset[5]",
		135: "starvation", 136: "priority_served[0]", 140: "priority_served[4]", 141: "quota_waits", 142: "reserved[1]", 159: "reserved[18]", 160: "observable[0]",
	} {
		if got := ControlWordName(i); got != want {
			t.Errorf("word %d is called %q, want %q", i, got, want)
		}
	}
}

func TestControlRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tenants := rapid.Uint32Range(0, 2*Tenants).Draw(t, "tenants")
		observables := rapid.Uint32Range(0, 100).Draw(t, "observables")
		words, err := EncodeControl(tenants, observables)
		if err != nil {
			t.Fatal(err)
		}
		c, err := DecodeControl(words)
		if err != nil {
			t.Fatal(err)
		}
		if open := nonZero(c.TenantMask[:]); open != min(int(tenants), Tenants) {
			t.Fatalf("%d masks are open, want %d", open, tenants)
		}
		if paid := nonZero(c.TenantQuota[:]); paid != min(int(tenants), QuotaWords) || len(c.Observables) != int(observables) {
			t.Fatalf("%d quotas, %d observables; want %d, %d", paid, len(c.Observables), tenants, observables)
		}
	})
}

func nonZero(words []uint32) (n int) {
	for _, w := range words {
		if w != 0 {
			n++
		}
	}
	return n
}

func FuzzDecodeControl(f *testing.F) {
	words, _ := EncodeControl(3, 1)
	f.Add(bytesOf(words))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := DecodeControl(wordsOf(b))
		if (c == nil) == (err == nil) {
			t.Errorf("decoded %v with error %v", c, err)
		}
	})
}
