package workload

import (
	"encoding/hex"
	"fmt"
	"math"
	"regexp"
	"strings"

	"vyretop/megakernel"
	"vyretop/tasks"
)

func (c *checker) buffer(at place, raw rawBuffer) {
	b := BufferSpec{Name: raw.Name, File: raw.File, Values: raw.Values, HostVisible: raw.HostVisible, Unordered: raw.Unordered}
	if !isName(b.Name) {
		c.fail(at, ErrValue, "give it a name of letters, digits, - and _", "%q is not a name", b.Name)
	}
	b.Binding = c.binding(at, raw)
	if b.Name == observables && c.m.Observables > 0 {
		c.fail(at.at("name"), ErrDuplicate, "rename it", "the words of the operations have that name")
	}
	for _, other := range c.m.Buffers {
		if other.Name == b.Name {
			c.fail(at.at("name"), ErrDuplicate, "rename one", "there are two buffers of that name")
		}
		if other.Binding == b.Binding && b.Binding != 0 {
			c.fail(at.at("binding"), ErrBinding, "give each buffer a binding of its own", "buffer %q has binding %d too", other.Name, b.Binding)
		}
	}
	b.Words, b.HasWords = c.expr(at.at("words"), raw.Words)
	b.Fill, b.HasFill = c.expr(at.at("fill"), raw.Fill)
	c.contents(at, &b)
	b.Picture = c.picture(at.at("picture"), raw.Picture)
	c.m.Buffers = append(c.m.Buffers, b)
}

func (c *checker) binding(at place, raw rawBuffer) uint32 {
	const lo, hi = megakernel.FirstUserBinding, megakernel.FirstUserBinding + MaxUserBindings - 1
	fix := fmt.Sprintf("use a binding of %d..%d", lo, hi)
	switch {
	case raw.Binding == nil:
		c.fail(at, ErrBinding, fix, "it has no binding")
	case *raw.Binding < lo && *raw.Binding >= 0:
		c.fail(at.at("binding"), ErrBinding, fix, "binding %d belongs to the protocol", *raw.Binding)
	case *raw.Binding < 0 || *raw.Binding > hi:
		c.fail(at.at("binding"), ErrBinding, fix, "binding %d is out of range", *raw.Binding)
	default:
		return uint32(*raw.Binding)
	}
	return 0
}

// contents checks that the size and the initial contents of a buffer are given in one way.
func (c *checker) contents(at place, b *BufferSpec) {
	ways := 0
	for _, given := range []bool{b.HasFill, b.File != "", b.Values != nil} {
		if given {
			ways++
		}
	}
	switch {
	case ways > 1:
		c.fail(at, ErrValue, "keep one of fill, file and values", "its contents are given in %d ways", ways)
	case b.File != "":
		c.file(at.at("file"), b.File, 4*MaxBufferWords)
	case b.Values != nil && len(b.Values) == 0:
		c.fail(at.at("values"), ErrSize, "give at least one value, or words", "it has no word")
	case b.Values == nil && !b.HasWords:
		c.fail(at, ErrMissing, "add words = N", "it has no size")
	}
}

// operations checks what the protocol's operations need.
func (c *checker) operations(raw *rawManifest) {
	m := c.m
	m.Operations, m.Automaton = raw.Operations, raw.Automaton
	m.Observables = c.number(place{key: "observables"}, raw.Observables, 0, 0, megakernel.MaxObservables)
	for _, k := range []struct {
		key   string
		given bool
	}{{"observables", raw.Observables != nil}, {"automaton", raw.Automaton != ""}} {
		if k.given && !m.Operations {
			c.fail(place{key: k.key}, ErrValue, "add operations = true", "only operations use it")
		}
	}
	if m.Automaton != "" && !glslIdentifier.MatchString(m.Automaton) {
		c.fail(place{key: "automaton"}, ErrHandler, `write automaton = "name" for the function uint name(uint state, uint symbol)`, "%q is not a function name", m.Automaton)
	}
}

var glslIdentifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// reservedPrefixes are those of GLSL and of the kernel's own functions.
var reservedPrefixes = []string{"gl_", "vt_", "task_"}

func (c *checker) opcode(at place, raw rawOpcode) {
	o := OpcodeSpec{Name: raw.Name, Function: raw.Handler, File: raw.File, Cooperative: c.wantsWorker(at, raw)}
	if !isName(o.Name) {
		c.fail(at, ErrValue, "give it a name of letters, digits, - and _", "%q is not a name", o.Name)
	}
	if c.opcodeNumber(at, raw, &o) {
		for _, other := range c.m.Opcodes {
			if other.Number == o.Number || other.Name == o.Name {
				c.fail(at, ErrDuplicateOpcode, "give each opcode a number and a name of its own", "opcode %q has number %#x", other.Name, other.Number)
			}
		}
	}
	c.handler(at, o)
	c.m.Opcodes = append(c.m.Opcodes, o)
}

// Scopes of an opcode: who runs a task of it.
const (
	scopeLane   = "lane"
	scopeWorker = "worker"
)

// wantsWorker tells whether all lanes of a worker run a task of the opcode: scope = "worker", or cooperative = true, which
// says the same.
func (c *checker) wantsWorker(at place, raw rawOpcode) bool {
	switch {
	case raw.Scope != "" && raw.Scope != scopeLane && raw.Scope != scopeWorker:
		c.fail(at.at("scope"), ErrValue, `write scope = "lane" or scope = "worker"`, "%q is not a scope", raw.Scope)
	case raw.Scope == scopeLane && raw.Cooperative:
		c.fail(at.at("scope"), ErrValue, `write scope = "worker", or remove cooperative`, "a cooperative handler is run by the whole worker")
	}
	return raw.Scope == scopeWorker || raw.Cooperative
}

func (c *checker) opcodeNumber(at place, raw rawOpcode, o *OpcodeSpec) bool {
	if raw.Number == nil {
		c.fail(at, ErrMissing, "add number = 0x100, say", "it has no number")
		return false
	}
	if *raw.Number < 0 || *raw.Number > 0xFFFFFFFF {
		c.fail(at.at("number"), ErrValue, "use 8..0x7fffffff, less 0xfff0..0xffff", "%d is not an opcode", *raw.Number)
		return false
	}
	o.Number = uint32(*raw.Number)
	if megakernel.OpcodeReserved(o.Number) {
		c.fail(at.at("number"), ErrReservedOpcode, "use 8..0x7fffffff, less 0xfff0..0xffff", "%#x belongs to the protocol", o.Number)
		return false
	}
	return true
}

// handler checks that the file is there and defines the function. What else is wrong in it is for
// the kernel's compiler to say.
func (c *checker) handler(at place, o OpcodeSpec) {
	if !glslIdentifier.MatchString(o.Function) {
		c.fail(at.at("handler"), ErrHandler, `write handler = "name" for the function void name(inout Task t)`, "%q is not a function name", o.Function)
		return
	}
	for _, prefix := range reservedPrefixes {
		if strings.HasPrefix(o.Function, prefix) {
			c.fail(at.at("handler"), ErrHandler, "rename the function", "names that begin with %s are the kernel's", prefix)
		}
	}
	if !c.file(at.at("file"), o.File, MaxManifestBytes) {
		return
	}
	src, err := c.m.source(o.File)
	if err != nil {
		c.errs = append(c.errs, err)
		return
	}
	if !definesHandler(src.Text, o.Function) {
		c.fail(at.at("handler"), ErrHandler, "define void "+o.Function+"(inout Task t) { … }", "%s has no function %s that takes a task", src.Name, o.Function)
	}
}

var glslComment = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)

func definesHandler(text, function string) bool {
	head := regexp.MustCompile(`\bvoid\s+` + function + `\s*\(\s*inout\s+Task\b`)
	return head.MatchString(glslComment.ReplaceAllString(text, " "))
}

func (c *checker) task(at place, raw rawTask) {
	t := TaskSpec{Opcode: c.taskOpcode(at.at("opcode"), raw.Opcode), Priority: c.priority(at.at("priority"), raw.Priority)}
	t.Tenant = c.number(at.at("tenant"), raw.Tenant, 0, 0, megakernel.Tenants-1)
	var given bool
	if t.Count, given = c.expr(at.at("count"), raw.Count); !given {
		t.Count = Const(1)
	}
	t.Input, _ = c.expr(at.at("input"), raw.Input)
	t.Output, _ = c.expr(at.at("output"), raw.Output)
	t.Param, _ = c.expr(at.at("param"), raw.Param)
	c.m.Tasks = append(c.m.Tasks, t)
}

// taskOpcode finds the opcode that a task names by name or number.
func (c *checker) taskOpcode(at place, v any) uint32 {
	known := make([]string, 0, len(c.m.Opcodes))
	for _, o := range c.m.Opcodes {
		if v == o.Name || v == int64(o.Number) {
			return o.Number
		}
		known = append(known, o.Name)
	}
	if v == nil {
		c.fail(at, ErrMissing, `add opcode = "name"`, "it has no opcode")
		return 0
	}
	if op, ok := operationNamed(v); ok && c.m.Operations {
		return op
	}
	fix := "add an [[opcode]]"
	if len(known) > 0 {
		fix = "use one of " + strings.Join(known, ", ") + ", or " + fix
	}
	c.fail(at, ErrUnknownOpcode, fix, "no opcode is called %v", v)
	return 0
}

// operationNamed finds an operation of the protocol by its name or number.
func operationNamed(v any) (opcode uint32, ok bool) {
	if n, isNumber := v.(int64); isNumber {
		return uint32(n), n >= 0 && n <= math.MaxUint32 && megakernel.OpcodeBuiltin(uint32(n))
	}
	for _, op := range []uint32{
		megakernel.OpcodeNop, megakernel.OpcodeStore, megakernel.OpcodeAtomicAdd, megakernel.OpcodeLoad, megakernel.OpcodeCompareSwap, megakernel.OpcodeMemcpy,
		megakernel.OpcodeDFAStep, megakernel.OpcodeBatchFence, megakernel.OpcodePrintf, megakernel.OpcodePackedSlot, megakernel.OpcodeShutdown,
	} {
		if name, _ := megakernel.OpcodeName(op); v == name {
			return op, true
		}
	}
	return 0, false
}

func (c *checker) priority(at place, v any) tasks.Priority {
	if v == nil {
		return tasks.Normal
	}
	p, err := tasks.ParsePriority(fmt.Sprint(v))
	if err != nil {
		c.fail(at, ErrValue, "use critical, high, normal, low or idle", "%v is not a priority", v)
	}
	return p
}

func (c *checker) verify(at place, raw rawCheck) {
	v := Check{Buffer: raw.Buffer, File: raw.File, Values: raw.Values, SHA256: strings.ToLower(raw.SHA256)}
	if e, given := c.expr(at.at("value"), raw.Value); given {
		v.Value = &e
	}
	ways := 0
	for _, given := range []bool{v.File != "", v.Values != nil, v.SHA256 != "", v.Value != nil} {
		if given {
			ways++
		}
	}
	v.Faulted = c.number(at.at("faulted"), raw.Faulted, 0, 0, MaxTasks)
	switch {
	case (v.Buffer == "") == (raw.Faulted == nil):
		c.fail(at, ErrValue, "give a buffer with what it must hold, or faulted = N", "it must be about a buffer or about faults")
	case v.Buffer == "" && ways > 0, v.Buffer != "" && ways != 1:
		c.fail(at, ErrValue, "give buffer with exactly one of file, values, sha256 and value", "%d expectations are given", ways)
	case v.Buffer != "":
		c.checkedBuffer(at, v)
	}
	c.m.Checks = append(c.m.Checks, v)
}

func (c *checker) checkedBuffer(at place, v Check) {
	found := v.Buffer == observables && c.m.Observables > 0
	for i := range c.m.Buffers {
		if b := &c.m.Buffers[i]; b.Name == v.Buffer {
			found, b.HostVisible = true, true // the host must be able to read it
		}
	}
	if !found {
		c.fail(at.at("buffer"), ErrValue, "name one of the [[buffer]] items", "unknown buffer %q", v.Buffer)
	}
	if v.File != "" {
		c.file(at.at("file"), v.File, 4*MaxBufferWords)
	}
	if sum, err := hex.DecodeString(v.SHA256); v.SHA256 != "" && (err != nil || len(sum) != 32) {
		c.fail(at.at("sha256"), ErrValue, "write 64 hexadecimal digits", "%q is not a SHA-256", v.SHA256)
	}
}
