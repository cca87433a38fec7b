package reference

import (
	"os"
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

// BenchmarkInterpreterIntegerKernel reports the loop rounds per second and lane of a kernel of integer
// operations, one table look-up and one divergent branch a round.
func BenchmarkInterpreterIntegerKernel(b *testing.B) {
	const groups, rounds = 2, 2000
	p := compileText(b, openBackend(b, Options{}), "integer.comp", readTestdata(b, "oclgrind/integer.comp"))
	inputs := integerInputs(groups*64, rounds)
	for b.Loop() {
		if _, _, err := dispatch(b, p, engine.DispatchConfig{Grid: [3]uint32{groups, 1, 1}}, inputs...); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*groups*64*rounds/b.Elapsed().Seconds()/1e6, "Mrounds/s")
}
