package reference

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"vyretop/engine"
)

func readTestdata(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// integerInputs are the buffers of the integer kernel: table, result and parameters.
func integerInputs(items, rounds int) [][]uint32 {
	table := make([]uint32, 256)
	for i := range table {
		table[i] = uint32(i)
	}
	return [][]uint32{table, make([]uint32, items), {uint32(rounds)}}
}

// BenchmarkInterpreterIntegerKernel reports the loop rounds per second, over all lanes, of a kernel of
// integer operations with one table look-up and one divergent branch a round.
func BenchmarkInterpreterIntegerKernel(b *testing.B) {
	text := readTestdata(b, "oclgrind/integer.comp")
	for _, lanes := range []int{1, 8, 64, 256} {
		b.Run(fmt.Sprint("lanes=", lanes), func(b *testing.B) {
			sized := strings.Replace(text, "local_size_x = 64", fmt.Sprint("local_size_x = ", lanes), 1)
			benchmarkRounds(b, sized, lanes, 2000)
		})
	}
}

func benchmarkRounds(b *testing.B, text string, lanes, rounds int) {
	p := compileText(b, openBackend(b, Options{}), "integer.comp", text)
	inputs := integerInputs(lanes, rounds)
	for b.Loop() {
		if _, _, err := dispatch(b, p, engine.DispatchConfig{}, inputs...); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*lanes*rounds)/b.Elapsed().Seconds()/1e6, "Mrounds/s")
}

// BenchmarkInterpreterOneActiveLane is the same with one lane of 64 at work, as when a workgroup's first
// lane runs its scheduler.
func BenchmarkInterpreterOneActiveLane(b *testing.B) {
	text := readTestdata(b, "oclgrind/integer.comp")
	text = strings.Replace(text, "uint sum = 0u;", "uint sum = 0u;\n    if (id != 0u) return;", 1)
	p := compileText(b, openBackend(b, Options{}), "integer.comp", text)
	const rounds = 2000
	for b.Loop() {
		if _, _, err := dispatch(b, p, engine.DispatchConfig{}, integerInputs(64, rounds)...); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*rounds)/b.Elapsed().Seconds()/1e6, "Mrounds/s")
}

// BenchmarkDispatch measures an empty dispatch on buffers that were used before.
func BenchmarkDispatch(b *testing.B) {
	ctx := testContext(b)
	backend := openBackend(b, Options{})
	p := compileText(b, backend, "empty.comp", "#version 450\nlayout(local_size_x = 64) in;\nvoid main() { }\n")
	for b.Loop() {
		pending, err := p.Start(ctx, nil, engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := pending.Wait(ctx); err != nil {
			b.Fatal(err)
		}
	}
}
