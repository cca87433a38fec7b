package kernel

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/megakernel"
	"vyretop/tasks"
)

//go:embed glsl/*.glsl glsl/builtin/*.glsl
var embedded embed.FS

// prefix is the folder under which the kernel's own files are included.
const prefix = "vyretop/"

// builtin is the folder of the kernel's own handlers. Their loops are counted like a workload's.
const builtin = prefix + "builtin/"

// Handler binds an opcode to a function of the workload's handler files.
type Handler struct {
	Opcode   uint32
	Name     string // for people
	Function string // void Function(inout Task t)
	// Cooperative: all lanes of a worker run one task together. They may share shared variables and meet at
	// barriers; each has a copy of the task, and what lane 0 (gl_LocalInvocationIndex) makes of it counts, but that a fault of
	// any lane faults the task.
	Cooperative bool
}

// Driver is how the text of a megakernel suits a driver.
type Driver struct {
	Clock    string // extension that gives kernels a clock, "" for none: as engine.DeviceProfile.DeviceClock
	Unit     string // extension that tells the unit of the device that a worker is on, "" for none
	NoInline bool   // have large handlers compiled on their own: see glsl.Options.NoInline
}

// Config is everything that decides the text of a megakernel.
type Config struct {
	Name          string
	Handlers      []Handler
	Sources       []*source.File      // handler files, in this order
	Resolver      preprocess.Resolver `json:"-"` // for what the handler files include beside vyretop/…; may be nil
	WorkgroupSize int                 // lanes of a worker, 1..1024
	Slots         int                 // rounded up to a multiple of 32; 0 = DefaultSlots
	InboxTasks    int                 // power of two; 0 = DefaultInboxTasks
	Completions   int                 // power of two; 0 = DefaultCompletions
	LogRecords    int                 // power of two; 0 = DefaultLogRecords
	NoEvents      bool                // leave out the kernel's own events from the debug log, and what its time is spent on: passes are quicker without them
	LoopLimit     uint64              // loop iterations after which the driver ends all loops of an invocation; 0 = none
	Mirror        bool                // the slots are in memory that the host does not see: copy them to the outbox when asked
	Lockstep      bool                // the lanes of a worker run in step: no barriers
	Holds         Holds               // breakpoints
	OneLoop       bool                // run a slice in one loop and not in four: drivers that inline everything compile it many times faster
	Core          bool                // the small variant for a start: whatever is rare ends its slice with megakernel.EndService
	Hot           []uint32            // opcodes for which the passes are specialized; empty = all. The others are run when serving
	Operations    bool                // run the protocol's operations (package builtin); others pay nothing for them
	Pages         bool                // handlers may ask for pages of files
	IndexChecks   bool                // notice indexes out of range in handler files, for devices that do not report them
	Automaton     string              // of the operation DFA_STEP: uint Automaton(uint state, uint symbol) of a handler file, or ""
	Activation    *Activation         `json:"-"` // nil: a resident kernel; else the program of one activation
	Earlier       Earlier             `json:",omitzero"`
	own           []*source.File      // the kernel's own files; nil: those of this program

	Driver
}

// Defaults of a Config.
const (
	DefaultSlots       = 4096
	DefaultInboxTasks  = 4096
	DefaultCompletions = 8192
	DefaultLogRecords  = 16384

	maxWorkgroupSize = megakernel.MaxWorkgroup
)

// Kernel is an assembled megakernel.
type Kernel struct {
	Program  *engine.Program
	Config   Config // with defaults filled in
	Layout   megakernel.SchedLayout
	Warnings source.Diagnostics
	Costs    LoopCosts // of its loops, for drivers that count them
}

// Suit fills in what depends on the device. The workgroup size is set.
func (c *Config) Suit(p engine.DeviceProfile) {
	c.LoopLimit = p.LoopIterationLimit.Or(0)
	local := engine.DeviceLocal.String()
	c.Mirror = !p.SoftwareDevice.Or(false) && p.BufferPlacement[local] == local
	c.Clock = p.DeviceClock.Or("")
	c.Unit = p.DeviceUnit.Or("")
	c.Lockstep = int(p.LockstepInvocations.Or(0)) >= c.WorkgroupSize
	c.OneLoop = !p.SoftwareDevice.Or(false) && c.LoopLimit == 0
}

// CompletionsAt is the word of the outbox where the completions begin.
func (k *Kernel) CompletionsAt() int {
	if !k.Config.Mirror {
		return megakernel.CompletionsAt(0)
	}
	return megakernel.CompletionsAt(k.Config.Slots / 32)
}

// MirrorAt is the word of the outbox where the mirror of the slots begins.
func (k *Kernel) MirrorAt() int {
	return k.CompletionsAt() + (k.Config.Completions*megakernel.CompletionWords+megakernel.LineWords-1)/megakernel.LineWords*megakernel.LineWords
}

// ChecksAt is the word of the outbox where what Config.IndexChecks noticed begins.
func (k *Kernel) ChecksAt() int { return k.KeptAt() + k.Kept()*megakernel.KeptWords }

// OutboxWords is the size of the kernel's outbox.
func (k *Kernel) OutboxWords() int { return k.ChecksAt() + len(k.IndexChecks())*megakernel.CheckWords }

// IndexChecks are the accesses whose index the kernel checks. It checks none of a text outside the kernel language.
func (k *Kernel) IndexChecks() []tree.IndexCheck {
	if k.Program.Tree == nil || !k.Config.IndexChecks {
		return nil
	}
	return k.Program.Tree.IndexChecks
}

// ErrConfig is matched by every error about a Config.
const ErrConfig fault.Kind = "invalid kernel configuration"

// Assemble builds the program of a megakernel.
func Assemble(c Config) (*Kernel, error) {
	c.setDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	k := &Kernel{Config: c, Layout: megakernel.NewSchedLayout(c.Slots)}
	program, warnings, err := engine.CompileProgram(c.Name, k.mainFile(), k.options())
	if err != nil {
		return nil, err
	}
	k.Program, k.Warnings = program, warnings
	if err := c.checkBarriers(program.Tree); err != nil {
		return nil, err
	}
	if c.IndexChecks && program.Tree == nil {
		return nil, &fault.Error{
			Kind: ErrConfig, Subject: "megakernel: handlers of " + c.Name,
			Detail: "they are outside the kernel language, so their accesses cannot be checked:\n" + program.Outside.Error(),
			Fix:    "write the lines named above in the kernel language, or check no accesses",
		}
	}
	var known bool
	if k.Costs, known = costsOf(program.Tree); !known && c.LoopLimit > 0 {
		return nil, &fault.Error{Kind: ErrConfig, Subject: "megakernel: handlers of " + c.Name, Detail: "they are outside the kernel language, so their loops cannot be counted, and this device ends all loops after " + fmt.Sprint(c.LoopLimit) + " iterations:\n" + program.Outside.Error(), Fix: "write the lines named above in the kernel language, or use a device that does not limit loops"}
	}
	k.Program = k.Program.WithHeader(c.header())
	k.Program.WorkgroupSize = [3]uint32{uint32(c.WorkgroupSize), 1, 1}
	k.Program.FixedWorkgroup = true // claims and the worker table count its lanes
	k.Program.CountsLoops = true    // vt_step and vt_tick; OutEndReason stays 0 in a slice that the device cut short
	return k, nil
}

// options say how the kernel's text is compiled.
func (k *Kernel) options() glsl.Options {
	o := glsl.Options{Options: preprocess.Options{
		Resolver: k.resolver(), Defines: k.Config.opcodes(), GuardLoops: isHandlerFile, BarrierGuardCall: "vt_round()", Formats: k.Config.Earlier.Formats, Files: k.Config.Earlier.Files,
	}}
	if k.Config.IndexChecks {
		o.IndexChecks = glsl.IndexChecks{Files: isWorkloadFile, Function: "vt_check_index"}
	}
	if k.Config.NoInline {
		o.NoInline = k.Config.isLargeHandler
	}
	o.TreeOnly = k.Config.Activation != nil && k.Config.Activation.Stepped
	h := &k.Config.Holds
	o.Marks, o.Touches = h.marks(), h.touches()
	if !k.Config.IndexChecks && h.has(megakernel.StopUndefined) {
		o.IndexChecks = glsl.IndexChecks{Files: isWorkloadFile, Function: "vt_notice_index"}
	}
	return o
}

func (c *Config) setDefaults() {
	for _, d := range []struct {
		field *int
		value int
	}{{&c.Slots, DefaultSlots}, {&c.InboxTasks, DefaultInboxTasks}, {&c.Completions, DefaultCompletions}, {&c.LogRecords, DefaultLogRecords}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	c.Slots = (c.Slots + 31) / 32 * 32
}

func (c *Config) validate() error {
	if c.WorkgroupSize < 1 || c.WorkgroupSize > maxWorkgroupSize {
		return &fault.Error{Kind: ErrConfig, Subject: "megakernel: workgroup size", Detail: fmt.Sprintf("%d is not possible", c.WorkgroupSize), Fix: fmt.Sprintf("use 1 to %d", maxWorkgroupSize)}
	}
	if c.Slots < 32 || c.Slots > megakernel.MaxSlots {
		return &fault.Error{Kind: ErrConfig, Subject: "megakernel: slots", Detail: fmt.Sprintf("%d is not possible", c.Slots), Fix: fmt.Sprintf("use 32 to %d", megakernel.MaxSlots)}
	}
	for _, ring := range []struct {
		name string
		size int
	}{{"inbox tasks", c.InboxTasks}, {"completions", c.Completions}, {"log records", c.LogRecords}} {
		if ring.size < 1 || ring.size > 1<<24 || ring.size&(ring.size-1) != 0 {
			return &fault.Error{Kind: ErrConfig, Subject: "megakernel: " + ring.name, Detail: fmt.Sprintf("%d is not possible", ring.size), Fix: "use a power of two up to 16777216"}
		}
	}
	if err := c.validateHandlers(); err != nil {
		return err
	}
	if err := c.validateActivation(); err != nil {
		return err
	}
	if err := c.validateStops(); err != nil {
		return err
	}
	return c.validateHot()
}

func (c *Config) validateHandlers() error {
	seen := map[uint32]string{}
	for _, h := range c.Handlers {
		if megakernel.OpcodeReserved(h.Opcode) {
			return &fault.Error{Kind: ErrConfig, Subject: "megakernel: handler " + h.Name, Detail: fmt.Sprintf("opcode %#x is reserved", h.Opcode), Fix: "use 8 to 0xFFEF, or 0x10000 to 0x7FFFFFFF"}
		}
		if other, taken := seen[h.Opcode]; taken {
			return &fault.Error{Kind: ErrConfig, Subject: "megakernel: handler " + h.Name, Detail: fmt.Sprintf("opcode %d is already bound to %s", h.Opcode, other), Fix: "give each handler an opcode of its own"}
		}
		seen[h.Opcode] = h.Name
	}
	return nil
}

// isHandlerFile reports whether the loops of a file count against the budget of activations.
func isHandlerFile(name string) bool {
	return !strings.HasPrefix(name, prefix) || strings.HasPrefix(name, builtin)
}

// isWorkloadFile reports whether a file is not the kernel's own.
func isWorkloadFile(name string) bool { return !strings.HasPrefix(name, prefix) }

// mainFile is the generated text that includes everything else.
func (k *Kernel) mainFile() *source.File {
	var b strings.Builder
	b.WriteString("#version 450\n")
	fmt.Fprintf(&b, "layout(local_size_x = %d) in;\n", k.Config.WorkgroupSize)
	for _, d := range k.sizes() {
		fmt.Fprintf(&b, "#define %s %du\n", d.name, d.value)
	}
	fmt.Fprintf(&b, "#define VT_SET_TOPS %d\n", (k.Layout.Regions+31)/32) // #if wants them without a suffix
	fmt.Fprintf(&b, "#define VT_CLAIMERS %d\n", claimers(k.Config.WorkgroupSize))
	if k.Config.Mirror {
		fmt.Fprintf(&b, "#define VT_MIRROR %du // in outbox_quads\n", (k.MirrorAt()-k.CompletionsAt())/4)
	}
	if k.Config.IndexChecks {
		fmt.Fprintf(&b, "#define VT_CHECKS %du // in outbox_quads\n", (k.ChecksAt()-k.CompletionsAt())/4)
	}
	if len(k.Config.Holds.Stops) > 0 { // in outbox_quads
		fmt.Fprintf(&b, "#define VT_STOPS %du\n#define VT_KEPT %du\n", (k.KeptAt()-k.CompletionsAt())/4, k.Kept())
	}
	for _, v := range []struct {
		name string
		on   bool
	}{
		{"VT_HOLDS", k.Config.Holds.Breaks || len(k.Config.Holds.Stops) > 0},
		{"VT_NOTICES", !k.Config.IndexChecks && k.Config.Holds.has(megakernel.StopUndefined)},
		{"VT_COUNT_LOOPS", k.Config.LoopLimit > 0 || k.Config.Clock == ""},
		{"VT_LOCKSTEP", k.Config.Lockstep},
		{"VT_EVENTS", !k.Config.NoEvents},
		{"VT_BREAKS", k.Config.Holds.Breaks},
		{"VT_CORE", k.Config.Core},
		{"VT_ONE_LOOP", k.Config.OneLoop},
		{"VT_DEFERS", k.count(rare) > 0 || k.count(together) > 0},
		{"VT_RARE", k.count(rare) > 0},
		{"VT_TOGETHER", k.count(together) > 0},
		{"VT_TIMES", !k.Config.NoEvents},
		{"VT_NARROW", k.Config.WorkgroupSize < rows(k.Config.WorkgroupSize)*(tasks.NumPriorities+1)},
	} {
		if v.on {
			fmt.Fprintf(&b, "#define %s\n", v.name)
		}
	}
	k.writeCore(&b)
	k.writeOperations(&b)
	for _, s := range k.Config.Sources {
		fmt.Fprintf(&b, "#include \"%s\"\n", s.Name)
	}
	k.writeDispatch(&b)
	k.writeStops(&b)
	b.WriteString(k.mainText())
	return &source.File{Name: prefix + k.Config.Name + " (generated)", Text: b.String()}
}

// HasPages reports whether tasks can ask for pages: the operations do.
func (c *Config) HasPages() bool { return c.Pages || c.Operations }

// writeOperations includes pages and the protocol's operations, if they are asked for.
func (k *Kernel) writeOperations(b *strings.Builder) {
	if !k.Config.HasPages() {
		return
	}
	if !k.Config.Operations {
		b.WriteString("#include \"vyretop/builtin/pages.glsl\"\n")
		return
	}
	if f := k.Config.Automaton; f != "" {
		fmt.Fprintf(b, "#define VT_AUTOMATON %s\nuint %s(uint state, uint symbol);\n", f, f)
	}
	b.WriteString("#include \"vyretop/builtin/packed.glsl\"\n")
}

// mainText leaves out lanes beyond the workgroup: llvmpipe runs whole vectors, and the lanes that the
// workgroup does not have never see what ends a loop. They ran every loop to its other bound, until
// the driver ended all loops of the vector.
const mainText = `void main() {
    if (gl_LocalInvocationIndex < VT_LANES) {
        %s();
    }
}
`

func (k *Kernel) mainText() string {
	if k.Config.Activation != nil {
		return fmt.Sprintf(mainText, "vt_activation")
	}
	return fmt.Sprintf(mainText, "vt_resident_loop")
}

type size struct {
	name  string
	value int
}

func (k *Kernel) sizes() []size {
	return []size{
		{"VT_LANES", k.Config.WorkgroupSize},
		{"VT_SLOTS", k.Config.Slots},
		{"VT_IMPORT_LEAVES", k.Layout.ImportSlots() / 32},
		{"VT_REQUESTS", k.Layout.Request},
		{"VT_NOTES", k.Layout.Notes},
		{"VT_SETS", k.Layout.Sets},
		{"VT_SET_STRIDE", k.Layout.Stride},
		{"VT_SET_LEAF", k.Layout.LeafOffset()},
		{"VT_PAGER", k.Layout.Words},
		{"VT_INBOX_TASKS", k.Config.InboxTasks},
		{"VT_COMPLETIONS", k.Config.Completions},
		{"VT_LOG_RECORDS", k.Config.LogRecords},
		{"VT_TICK", k.Config.tick()},
		{"VT_OUTBOX_WORDS", k.CompletionsAt()},
	}
}

// rows is how many leaves a scheduling pass or an import may deal with at a time (state.glsl, VT_ROWS).
func rows(lanes int) int {
	if claimers(lanes) == 1 {
		return 1
	}
	return 32
}

// claimers is how many lanes claim, each one leaf for 32 lanes.
func claimers(lanes int) int { return (lanes + 31) / 32 }

// resolver finds the kernel's files, the handler files, and what those include.
func (k *Kernel) resolver() preprocess.Resolver {
	return resolver{own: k.Config.own, sources: k.Config.Sources, next: k.Config.Resolver}
}

type resolver struct {
	own     []*source.File // of a stored kernel
	sources []*source.File
	next    preprocess.Resolver
}

// Resolve implements preprocess.Resolver.
func (r resolver) Resolve(name, from string) (*source.File, error) {
	if strings.HasPrefix(name, prefix) {
		f, err := ownFile(r.own, name)
		if err != nil {
			return nil, preprocess.NotFound(name, "the kernel's own files")
		}
		return f, nil
	}
	if i := slices.IndexFunc(r.sources, func(f *source.File) bool { return f.Name == name }); i >= 0 {
		return r.sources[i], nil
	}
	if r.next != nil {
		return r.next.Resolve(name, from)
	}
	return nil, preprocess.NotFound(name, "the workload's files")
}
