package kernel

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"vyretop/engine/glsl/source"
	"vyretop/megakernel"
)

func handlers(text string, list ...Handler) Config {
	return Config{Name: "handlers", WorkgroupSize: 8, Slots: 64, Sources: []*source.File{{Name: "h.glsl", Text: text}}, Handlers: list}
}

// TestHandlersThatCannotBe: barriers where lanes do not meet, and kernels specialized for nothing.
func TestHandlersThatCannotBe(t *testing.T) {
	one := Handler{Opcode: 16, Name: "one", Function: "one"}
	all := Handler{Opcode: 17, Name: "all", Function: "all", Cooperative: true}
	const plain = "void one(inout Task t) {}\nvoid all(inout Task t) { barrier(); }\n"
	for _, c := range []struct {
		name   string
		config Config
		edit   func(c *Config)
		want   string // in the error; none when empty
	}{
		{"both", handlers(plain, one, all), nil, ""},
		{"barrier in a handler of single lanes", handlers("void one(inout Task t) { if (t.param == 1u) barrier(); }\n", one), nil, "each lane runs a task of its own"},
		{"barrier in a function of one", handlers("void f() { barrier(); }\nvoid one(inout Task t) { f(); }\n", one), nil, "each lane runs a task of its own"},
		{"loop with a barrier", handlers("void all(inout Task t) { for (uint i = 0u; i < 9u; ++i) { barrier(); } }\n", all), nil, ""},
		{"loop around a call with a barrier", handlers("void f() { barrier(); }\nvoid all(inout Task t) { for (uint i = 0u; i < 9u; ++i) { f(); } }\n", all), nil, "write the barrier into the loop itself"},
		{"loop without braces", handlers("void all(inout Task t) { for (uint i = 0u; i < 9u; ++i) barrier(); }\n", all), nil, "h.glsl:1"},
		{"hot", handlers(plain, one, all), func(c *Config) { c.Hot = []uint32{16} }, ""},
		{"hot without a handler", handlers(plain, one, all), func(c *Config) { c.Hot = []uint32{18} }, "18 has no handler"},
		{"hot and cooperative", handlers(plain, one, all), func(c *Config) { c.Hot = []uint32{17} }, "cooperative"},
		{"hot with operations", handlers(plain, one, all), func(c *Config) { c.Hot, c.Operations = []uint32{16}, true }, "packed slots"},
	} {
		if c.edit != nil {
			c.edit(&c.config)
		}
		_, err := Assemble(c.config)
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestPassesRunHotHandlersOnly: a kernel for some opcodes has each handler once.
func TestPassesRunHotHandlersOnly(t *testing.T) {
	c := handlers("void a(inout Task t) {}\nvoid b(inout Task t) {}\nvoid c(inout Task t) {}\n",
		Handler{Opcode: 16, Function: "a"}, Handler{Opcode: 17, Function: "b"}, Handler{Opcode: 18, Function: "c", Cooperative: true})
	c.Hot = []uint32{17}
	k, err := Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	for function, calls := range map[string][]string{
		"vt_dispatch": {"b(t)"}, "vt_dispatch_rare": {"a(t)"}, "vt_dispatch_together": {"c(t)"},
	} {
		_, body, _ := strings.Cut(k.Program.Text, "void "+function+"(inout Task t) {")
		body, _, _ = strings.Cut(body, "\n}\n")
		for _, call := range []string{"a(t)", "b(t)", "c(t)"} {
			if strings.Contains(body, call) != slices.Contains(calls, call) {
				t.Errorf("%s calls %v, but it is\n%s", function, calls, body)
			}
		}
	}
}

func TestSpecialize(t *testing.T) {
	list := []Handler{{Opcode: 8}, {Opcode: 9}, {Opcode: 10}, {Opcode: 11, Cooperative: true}, {Opcode: 40}}
	for _, c := range []struct {
		name        string
		activations map[int]uint64
		all         uint64
		n           int
		share       float64
		hot         []uint32
		ok          bool
	}{
		{"one has most", map[int]uint64{8: 5, 9: 900, 10: 95}, 1000, 8, 0.9, []uint32{9}, true},
		{"two together", map[int]uint64{8: 5, 9: 700, 10: 295}, 1000, 8, 0.9, []uint32{9, 10}, true},
		{"more than allowed", map[int]uint64{8: 5, 9: 700, 10: 295}, 1000, 1, 0.9, []uint32{9}, false},
		{"nothing yet", nil, 0, 8, 0.9, nil, false},
		{"one that is not counted", map[int]uint64{9: 100}, 1000, 8, 0.9, []uint32{9}, false},
		{"cooperative ones are none", map[int]uint64{9: 100, 11: 900}, 1000, 8, 0.9, []uint32{9}, false},
	} {
		var activations [megakernel.MetricOpcodes]uint64
		for opcode, n := range c.activations {
			activations[opcode] = n
		}
		got, ok := (&Config{Handlers: list}).Specialize(activations, c.all, c.n, c.share)
		if ok != c.ok || !slices.Equal(got.Hot, c.hot) {
			t.Errorf("%s: hot %v, %v", c.name, got.Hot, ok)
		}
	}
}
