//go:build egl

package rerun

import (
	"context"
	"flag"
	"maps"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
)

// What BenchmarkFollowAdvice measures and where it writes it.
var (
	followNames   = flag.String("follow.workloads", "scan,grep,bfs,render,collatz", "workloads that BenchmarkFollowAdvice runs")
	followBackend = flag.String("follow.backend", "gl", "backend that BenchmarkFollowAdvice runs on: gl, reference")
	followOut     = flag.String("follow.out", "", "folder for the reports of BenchmarkFollowAdvice")
	followDevice  = flag.String("follow.device", "", "name of the device in the reports")
	followTime    = flag.Duration("follow.time", 120*time.Second, "time of BenchmarkFollowAdvice for one workload, about")
)

const (
	followWindow = 60 * time.Millisecond
	followFinals = 4               // shapes of the grid that are measured again, as its best may have been lucky
	mostRounds   = 40              // of the grid, and of the finals
	adviceWait   = 3 * time.Second // for a recommendation
	beginTime    = 2 * time.Second // for learning how the parts of a run differ
	overtime     = 3               // times -follow.time after which a workload fails: a launch, or a run of a bad shape, is not cut short before
)

// BenchmarkFollowAdvice starts each workload from five bad shapes and the default one, follows the recommendation once as
// `apply` does, and compares the shape that is in force then with where it started and with the best of all shapes. All
// shapes take turns, window by window.
func BenchmarkFollowAdvice(b *testing.B) {
	for name := range strings.SplitSeq(*followNames, ",") {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				runFollow(b, name)
			}
		})
	}
}

// follower follows the recommendations for one workload.
type follower struct {
	b      *testing.B
	live   *Live
	report Followed
	began  time.Time
	order  *rand.Rand
}

func runFollow(b *testing.B, name string) {
	backend := openBackend(b, *followBackend)
	facts := backend.Profile()
	f := &follower{b: b, began: time.Now(), order: rand.New(rand.NewPCG(1, 2))}
	f.report = Followed{
		Device: *followDevice, Renderer: backend.Identity().Renderer + ", " + backend.Identity().Driver, Backend: *followBackend,
		Workload: name, WindowMS: followWindow.Milliseconds(),
	}
	flags := followFlags(name, *followBackend == "reference", facts.SoftwareDevice.Or(false))
	f.report.Flags = maps.Clone(flags)
	if mib, ok := flags["path"]; ok {
		flags["path"] = corpus(b, mib)
		f.report.Flags["path"] = mib + " MiB of text"
	}
	f.live = open(b, backend, name, flags)
	ctx, cancel := context.WithTimeout(b.Context(), overtime**followTime)
	defer cancel()
	s, err := f.live.Begin(ctx, beginTime)
	if err != nil {
		b.Fatal(err)
	}
	f.report.Lanes, f.report.Unit = s.WorkgroupSize, s.Unit
	f.report.Facts = f.facts(ctx)
	normal := megakernel.Shape{Workers: s.Settings.Workers, Lanes: s.Settings.Lanes}
	before := usedNow(b)
	f.began = time.Now() // the first launch compiles the kernel
	for i, start := range f.starts(normal) {
		if i > 0 && time.Since(f.began) > *followTime*6/10 {
			b.Logf("%s: no time for the start %v", name, start)
			continue
		}
		f.report.Rows = append(f.report.Rows, f.once(ctx, start))
	}
	f.judge(ctx)
	f.report.Others, f.report.Processors = usedNow(b).othersSince(before), runtime.NumCPU()
	f.write()
}

// facts are those of the device that a run tells.
func (f *follower) facts(ctx context.Context) megakernel.DeviceFacts {
	for f.live.run == nil {
		if _, err := f.live.Measure(ctx, nil, followWindow); err != nil {
			f.b.Fatal(err)
		}
	}
	return f.live.run.Hub().Target().Device
}

// followFlags are inputs that keep a device busy for a second or more; a path is the MiB of text that are to be there.
func followFlags(name string, reference, software bool) map[string]string {
	size := func(forReference, forSoftware, forGPU int) string {
		switch {
		case reference:
			return strconv.Itoa(forReference)
		case software:
			return strconv.Itoa(forSoftware)
		}
		return strconv.Itoa(forGPU)
	}
	switch name {
	case "scan":
		return map[string]string{"path": size(64, 256, 4096)}
	case "grep":
		return map[string]string{"path": size(16, 64, 2048), "pattern": "func [a-z]+"}
	case "bfs":
		return map[string]string{"generate": "kronecker:" + size(15, 18, 18), "searches": size(1, 1, 8000)}
	case "render":
		return map[string]string{"width": size(120, 240, 1920), "height": size(80, 160, 1280)}
	}
	return map[string]string{"count": "100000"}
}
