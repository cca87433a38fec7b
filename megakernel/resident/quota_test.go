package resident_test

import (
	"fmt"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// servedSince waits until the tenants have been served that many activations in all since the counts in
// before, and returns how many each.
func servedSince(t *testing.T, s *resident.Session, before []uint32, total uint32) []uint32 {
	t.Helper()
	for ctx := deadline(t); ; {
		now, sum := make([]uint32, len(before)), uint32(0)
		for i := range now {
			now[i] = s.Buffer("control").Load(megakernel.CtrlTenantFair0+i) - before[i]
			sum += now[i]
		}
		if sum >= total {
			return now
		}
		if err := s.AwaitSlice(ctx, s.Snapshot().Slice+1); err != nil {
			t.Fatalf("served %v of %d: %v\n%s", now, total, err, describe(s))
		}
	}
}

// TestQuotasShareOutActivations: of tenants that always have work, each gets activations in proportion to
// its quota, however many tasks it has, as long as they fill the workers; where quotas are equal and the default, in proportion to its tasks.
func TestQuotasShareOutActivations(t *testing.T) {
	for _, c := range []struct {
		name   string
		quotas string
		want   []float64 // shares
	}{
		{"default", "", []float64{10. / 13, 2. / 13, 1. / 13}},
		{"zero", "tenant-quota.0=0 tenant-quota.1=0", []float64{10. / 13, 2. / 13, 1. / 13}},
		{"equal", "tenant-quota.0=50 tenant-quota.1=50 tenant-quota.2=50", []float64{1. / 3, 1. / 3, 1. / 3}},
		{"unequal", "tenant-quota.0=100 tenant-quota.1=300 tenant-quota.2=600", []float64{0.1, 0.3, 0.6}},
	} {
		t.Run(c.name, func(t *testing.T) {
			backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
				enough := uint32(300_000)
				if _, real := b.Profile().DeviceClock.Get(); real { // a few tenths of a second: others may have its processors for a while
					enough *= 20
				}
				s := start(t, b, shared(t, b), resident.Options{Workers: 2, Log: resident.NoLog})
				apply(t, s, c.quotas)
				publish(t, s, work(13*16, func(i int, t *tasks.Task) { t.Tenant = [13]uint32{10: 1, 11: 1, 12: 2}[i%13] }))
				awaitImport(t, s)
				before := servedSince(t, s, make([]uint32, 3), 1)
				var got []uint32
				for range 20 { // a worker that has no processor for long keeps what it has claimed
					got = servedSince(t, s, before, enough)
					if sharedOut(got, c.want) {
						return
					}
					for tenant := range before {
						before[tenant] += got[tenant]
					}
				}
				t.Errorf("served %v, want shares of %.3f", got, c.want)
			})
		})
	}
}

// sharedOut reports whether tenants were served in these shares, or nearly.
func sharedOut(served []uint32, want []float64) bool {
	sum := 0.0
	for _, n := range served {
		sum += float64(n)
	}
	for tenant, n := range served {
		if share := float64(n) / sum; share < want[tenant]*0.85 || share > want[tenant]*1.15 {
			return false
		}
	}
	return true
}

// TestQuotasLetEveryTaskEnd: with quotas of all sizes, masks that change, and tasks of all outcomes,
// every task ends and the session comes to rest.
func TestQuotasLetEveryTaskEnd(t *testing.T) {
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, assembleWith(t, b, kernel.Config{WorkgroupSize: 8, Slots: 1024}, countdown, "work"), resident.Options{Workers: 2, Iterations: 4000})
		const tenants, n = 5, 400
		for tenant := range tenants {
			apply(t, s, fmt.Sprintf("tenant-quota.%d=%d", tenant, 1+1000*tenant))
		}
		ended := make(chan int)
		go func() {
			var seen []megakernel.Completion
			for ctx, err := deadline(t), error(nil); len(seen) < n && err == nil; {
				seen, err = s.Collect(ctx, seen)
			}
			ended <- len(seen)
		}()
		for i := range n / 20 {
			publish(t, s, work(20, func(k int, t *tasks.Task) { t.Tenant = uint32(k*k+i) % tenants }))
			apply(t, s, fmt.Sprintf("tenant-mask.%d=%s tenant-quota.%d=%d", i%tenants, []string{"off", "on"}[i/tenants%2], i%tenants, i*i))
		}
		for tenant := range tenants {
			apply(t, s, fmt.Sprintf("tenant-mask.%d=on", tenant))
		}
		if seen := <-ended; seen != n {
			t.Fatalf("%d of %d tasks ended\n%s", seen, n, describe(s))
		}
		if err := s.AwaitRest(deadline(t)); err != nil {
			t.Fatal(err)
		}
	})
}

// TestAnOverQuotaTenantAloneIsNotHeld: with no other tenant to wait for, quotas cost nothing.
func TestAnOverQuotaTenantAloneIsNotHeld(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1, Log: resident.NoLog})
		apply(t, s, "tenant-quota.0=1")
		publish(t, s, work(64, nil))
		awaitImport(t, s)
		before := servedSince(t, s, []uint32{0}, 1)
		servedSince(t, s, before, 50_000)
		if c := s.Snapshot().Counters; c[megakernel.CountParked] != 0 {
			t.Errorf("%d times a task waited for nothing", c[megakernel.CountParked])
		}
	})
}
