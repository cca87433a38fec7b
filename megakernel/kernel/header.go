package kernel

import "fmt"

// clocks are expressions for the device's clock, as vectors of two words, by extension.
var clocks = map[string]string{
	"GL_ARB_shader_clock":          "clock2x32ARB()",
	"GL_EXT_shader_realtime_clock": "clockRealtime2x32EXT()",
}

// units are expressions for the unit that a worker is on, plus one, by extension.
var units = map[string]string{"GL_NV_shader_thread_group": "uvec2(gl_SMIDNV + 1u)"}

// rolled asks NVIDIA's compiler to leave loops as they are: it takes a third of the time, and the kernel is as
// quick. Others ignore it, as they have to (GLSL 4.50, section 3.3).
const rolled = "#pragma optionNV(unroll none)\n"

// header is what stands in front of the text for a driver (glsl/clock.glsl says why).
func (c *Config) header() string {
	text := rolled
	for _, m := range []struct{ macro, extension, expression string }{
		{"VtNow", c.Clock, clocks[c.Clock]}, {"VtUnit", c.Unit, units[c.Unit]},
	} {
		if m.expression != "" {
			text += fmt.Sprintf("#extension %s : enable\n#define %s(none) %s\n", m.extension, m.macro, m.expression)
		}
	}
	return text
}
