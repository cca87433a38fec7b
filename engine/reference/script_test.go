package reference

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"vyretop/engine"
)

// scripts holds kernels with their buffers before and after. A script has one command,
//
//	run [grid=(x,y,z)] [lanes=n] [budget=n] [hex] b0=(words) b1=(words) …
//	GLSL without the #version and layout lines
//
// and prints what the buffers hold afterwards, the error, and the reports. All modes must print the same. A word is a number, or
// 0*n for n zeros. -rewrite writes the outputs again.
const scripts = "testdata/scripts"

func TestScripts(t *testing.T) {
	modes := []struct {
		name  string
		o     Options
		place engine.Placement
	}{
		{"device-local", Options{}, engine.DeviceLocal},
		{"host-visible", Options{Seed: 3, TimeSlice: 1}, engine.HostVisible},
		{"parallel", Options{Parallel: 2, TimeSlice: 3}, engine.DeviceLocal},
	}
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			b := openBackend(t, mode.o)
			datadriven.Walk(t, scripts, func(t *testing.T, path string) {
				datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
					return runScript(t, d, compileText(t, b, "kernel", scriptText(t, d)), mode.place)
				})
			})
		})
	}
}

// scriptKernels gives the text of every kernel in the scripts.
func scriptKernels(t *testing.T) map[string]string {
	kernels := map[string]string{}
	paths, err := filepath.Glob(scripts + "/*")
	if err != nil || len(paths) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			t.Fatal(err)
		}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			kernels[d.Pos] = scriptText(t, d)
			return d.Expected
		})
	}
	return kernels
}

func scriptText(t *testing.T, d *datadriven.TestData) string {
	lanes := "4"
	if d.HasArg("lanes") {
		d.ScanArgs(t, "lanes", &lanes)
	}
	return "#version 450\nlayout(local_size_x = " + lanes + ") in;\n#line 1\n" + d.Input
}

func runScript(t *testing.T, d *datadriven.TestData, p *Pipeline, place engine.Placement) string {
	cfg := engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}
	if d.HasArg("grid") {
		d.ScanArgs(t, "grid", &cfg.Grid[0], &cfg.Grid[1], &cfg.Grid[2])
	}
	if d.HasArg("budget") {
		d.ScanArgs(t, "budget", &cfg.IterationBudget)
	}
	var inputs [][]uint32
	for i := 0; d.HasArg(fmt.Sprintf("b%d", i)); i++ {
		inputs = append(inputs, scriptWords(t, d, fmt.Sprintf("b%d", i)))
	}
	out, pending, err := dispatchOn(t, p, place, cfg, inputs...)
	var b strings.Builder
	for i, words := range out {
		fmt.Fprintf(&b, "b%d:%s\n", i, wordsText(words, d.HasArg("hex")))
	}
	if err != nil {
		fmt.Fprintln(&b, err)
	}
	reports, _ := pending.Reports()
	for _, r := range reports {
		fmt.Fprintln(&b, r)
	}
	return b.String()
}

func scriptWords(t *testing.T, d *datadriven.TestData, key string) []uint32 {
	var words []uint32
	for _, arg := range d.CmdArgs {
		if arg.Key != key {
			continue
		}
		for _, text := range arg.Vals {
			if _, count, ok := strings.Cut(text, "*"); ok {
				n, err := strconv.Atoi(count)
				if err != nil {
					t.Fatal(err)
				}
				words = append(words, make([]uint32, n)...)
				continue
			}
			v, err := strconv.ParseUint(text, 0, 32)
			if err != nil {
				t.Fatal(err)
			}
			words = append(words, uint32(v))
		}
	}
	return words
}

func wordsText(words []uint32, hex bool) string {
	format := " %d"
	if hex {
		format = " %#x"
	}
	var b strings.Builder
	for _, w := range words {
		fmt.Fprintf(&b, format, w)
	}
	return b.String()
}
