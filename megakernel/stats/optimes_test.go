package stats

import (
	"testing"
	"time"
)

// TestBucketsOfTimesAreClose: a quantile is the end of a bucket, which is at most an eighth above what is in it.
func TestBucketsOfTimesAreClose(t *testing.T) {
	before := time.Duration(-1)
	for _, d := range []time.Duration{0, 1, 7, 8, 9, 100, time.Microsecond, 1023, 1024, 1025, 3 * time.Millisecond, time.Second, time.Hour} {
		end := below(bucket(d))
		if end <= d || float64(end) > 1.13*float64(d)+1 || end < before {
			t.Errorf("%v is in the bucket below %v", d, end)
		}
		before = end
	}
}

// TestQuantilesOfActivations: half of the activations take a microsecond, one in a hundred a millisecond.
func TestQuantilesOfActivations(t *testing.T) {
	o := &OpTimes{snapshots: 2}
	for i := range 1000 {
		took := time.Microsecond
		if i >= 980 {
			took = time.Millisecond
		}
		o.take(&SpanLine{Kind: Activation, Opcode: 256, Begin: time.Second, End: time.Second + took})
		o.take(&SpanLine{Kind: Sampled, Opcode: 256, Begin: 0, End: time.Hour})
	}
	o.take(&SpanLine{Kind: Activation, Opcode: 257, Begin: time.Second, End: time.Second + time.Nanosecond})
	list := o.Table(map[uint32]string{256: "work"})
	if len(list) != 2 || list[0].Name != "work" || list[0].Count != 1000 || list[0].Longest != time.Millisecond {
		t.Fatalf("%+v", list)
	}
	if p := list[0]; p.P50 < time.Microsecond || p.P50 > 1130 || p.P99 != time.Millisecond {
		t.Errorf("p50 %v, p99 %v", p.P50, p.P99)
	}
	if h := list[0].Histogram; len(h) != 2 || h[0].Count != 980 || h[1].Count != 20 {
		t.Errorf("histogram %+v", h)
	}
}
