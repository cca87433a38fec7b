//go:build cgo && egl

package gl

import (
	"fmt"
	"testing"

	"vyretop/engine"
)

// BenchmarkFloatFunctions tells what exact floats cost on the device: nanoseconds for one evaluation, with
// the functions of package floats and with the device's own. (16 evaluations for each of 65,536 arguments
// in one dispatch.)
func BenchmarkFloatFunctions(b *testing.B) {
	device := testBackend(b)
	for _, name := range []string{"x + 1.5", "x * 1.5 + 0.25", "x / 1.5", "sqrt(x)", "sin(x)", "exp2(x)", "pow(x, 1.5)"} {
		text := benchText(name)
		exact, err := engine.CompileText("bench", text)
		check(b, err)
		for kind, p := range map[string]*engine.Program{"exact": exact, "device": program("bench", text, 64, "In", "Out")} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				pl := compile(b, device, p)
				in, out := allocate(b, device, 1<<16, engine.HostVisible), allocate(b, device, 1<<16, engine.HostVisible)
				for i := range in.Size() {
					in.Words().Store(i, 0x3F000000+uint32(i)<<8)
				}
				run := func() {
					_, err := start(b, pl, 1<<10, in, out).Wait(within(b))
					check(b, err)
				}
				run() // compiles, on some devices
				b.ResetTimer()
				for range b.N {
					run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(16<<16), "ns/evaluation")
			})
		}
	}
}

func benchText(expr string) string {
	return fmt.Sprintf(`#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { float argument[]; };
layout(std430, binding = 1) writeonly buffer Out { float result[]; };
void main() {
  float x = argument[gl_GlobalInvocationID.x];
  for (int i = 0; i < 16; i++) x = %s;
  result[gl_GlobalInvocationID.x] = x;
}
`, expr)
}
