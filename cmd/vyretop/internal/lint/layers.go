package lint

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"
)

// anything marks a layer that may import every other.
const anything = "*"

// layers says which layer may import which. A package belongs to the row with the longest prefix of
// its directory, so engine/glsl/preprocess is part of engine/glsl. docs/architecture.md explains the
// shape; a new row needs a reason there.
//
// Every layer may import fault, the error that users meet, and units, which says how numbers are written.
//
// engine/glsl/source has a row of its own: positions and diagnostics are plain data that the engine
// contract speaks in, so packages that may import engine may name them without reaching into the front end.
// engine/vitals is plain data, too: what devices say of themselves is in snapshots and recordings.
// engine/conformance compares any backend with the reference, and engine/interim has it stand in for any, so they know that one and no other.
// A workload may verify its result on the reference backend, and says which kernel a file is part of that an editor has open.
// The dashboard is handed its targets: tui imports neither the hub (megakernel/live) nor the socket
// (megakernel/remote) nor what commands print of a target (megakernel/inspect).
// Test support that opens real backends has a row too: nothing but tests, and cmd, may import it.
var layers = map[string][]string{
	"engine/fault":            {},
	"tasks":                   {},
	"engine/plainfile":        {},
	"engine/glsl/source":      {},
	"engine/glsl":             {"engine/glsl/source", "engine/plainfile"},
	"engine":                  {"engine/glsl", "engine/glsl/source"},
	"engine/vitals":           {"engine"},
	"engine/backendtest":      {anything},
	"engine/reference":        {"engine", "engine/glsl", "engine/glsl/source"},
	"engine/debugger":         {"engine", "engine/glsl", "engine/glsl/source", "engine/check", "engine/profile", "engine/reference", "engine/plainfile"},
	"engine/lsp":              {"engine/glsl", "engine/glsl/source"},
	"engine/check":            {"engine", "engine/glsl", "engine/glsl/source", "engine/reference"},
	"engine/profile":          {"engine", "engine/glsl", "engine/reference"},
	"engine/interim":          {"engine", "engine/reference"},
	"engine/conformance":      {"engine", "engine/glsl", "engine/glsl/source", "engine/reference"},
	"engine/dispatch":         {"engine", "engine/glsl", "engine/glsl/source", "engine/reference", "engine/plainfile"},
	"engine/device":           {"engine", "engine/reference", "engine/vitals", "gl"},
	"gl":                      {"engine", "engine/glsl/source", "engine/vitals"},
	"megakernel":              {"tasks", "engine", "engine/vitals", "engine/plainfile"},
	"engine/units":            {},
	"megakernel/kernel":       {"megakernel", "tasks", "engine", "engine/glsl", "engine/glsl/source"},
	"megakernel/resident":     {"megakernel/kernel", "megakernel", "tasks", "engine", "engine/glsl/source"},
	"megakernel/workload":     {"megakernel/resident", "megakernel/kernel", "megakernel", "tasks", "engine", "engine/glsl", "engine/glsl/source", "engine/lsp", "engine/reference", "engine/plainfile"},
	"megakernel/internal/rig": {anything},
	"megakernel/run":          {"megakernel/capture", "megakernel/live", "megakernel/remote", "megakernel/workload", "megakernel/resident", "megakernel/kernel", "megakernel", "tasks", "engine", "engine/interim", "engine/vitals", "fixtures", "engine/plainfile"},
	"megakernel/tune/rerun":   {"megakernel/run", "megakernel/workload", "megakernel", "engine", "engine/plainfile"},
	"megakernel/bench":        {"megakernel/run", "megakernel/live", "megakernel/resident", "megakernel/kernel", "megakernel", "tasks", "engine", "engine/glsl", "engine/glsl/source", "fixtures", "gl"},
	"megakernel/activations":  {"megakernel", "tasks", "engine/glsl", "engine/reference"},
	"megakernel/taskcheck":    {"megakernel/activations", "megakernel/capture", "megakernel/run", "megakernel/workload", "megakernel", "tasks", "engine", "engine/check", "engine/glsl", "engine/glsl/source", "engine/profile", "engine/reference"},
	"megakernel/live":         {"megakernel", "tasks"},
	"megakernel/remote":       {"megakernel/live", "megakernel/resident", "megakernel", "tasks", "engine", "fixtures", "engine/plainfile"},
	"megakernel/fleet":        {"megakernel/live", "megakernel/remote", "megakernel", "engine/plainfile", "fixtures"},
	"megakernel/fleet/work":   {"megakernel/fleet", "megakernel/run", "megakernel/workload"},
	"megakernel/capture":      {"engine/plainfile", "megakernel/kernel", "megakernel", "tasks", "engine", "engine/debugger", "engine/glsl/source"},
	"megakernel/livedebug":    {"megakernel/capture", "megakernel/kernel", "megakernel", "tasks", "engine/debugger", "engine/glsl"},
	"megakernel/replay":       {"megakernel/activations", "megakernel/capture", "megakernel/inspect", "megakernel/resident", "megakernel/kernel", "megakernel", "tasks", "engine", "engine/debugger", "engine/reference", "fixtures"},
	"megakernel/bisect":       {"megakernel/replay", "megakernel/run", "megakernel/inspect", "engine", "engine/reference", "engine/plainfile", "fixtures"},
	"megakernel/inspect":      {"megakernel/capture", "megakernel/remote", "megakernel", "tasks", "engine", "fixtures", "engine/plainfile"},
	"fixtures":                {"megakernel", "tasks", "engine/vitals", "engine/plainfile"},
	"tui":                     {"megakernel", "megakernel/capture", "tasks", "engine/debugger", "engine/plainfile"},
	"docs/gen":                {anything},
	"internal":                {anything},
	"cmd/vyretop":             {anything},
	"cmd/vyretop/internal":    {anything},
}

// layerOf returns the row that a directory belongs to, or "" for none.
func layerOf(dir string) string {
	for d := dir; d != "." && d != ""; {
		if _, ok := layers[d]; ok {
			return d
		}
		cut := strings.LastIndexByte(d, '/')
		if cut < 0 {
			break
		}
		d = d[:cut]
	}
	return ""
}

// checkImports finds imports inside the module that point the wrong way.
func checkImports(f *file) []Finding {
	from := layerOf(f.dir)
	if from == "" {
		return []Finding{f.report(f.ast.Package, "layer", "directory "+f.dir+" belongs to no layer", "move the package below an existing layer, or add a row to the table in cmd/vyretop/internal/lint")}
	}
	if f.test {
		return nil
	}
	var found []Finding
	for _, spec := range f.ast.Imports {
		if to, ok := moduleImport(spec); ok && !mayImport(from, layerOf(to)) {
			found = append(found, f.report(spec.Pos(), "import", fmt.Sprintf("%s must not import %s", from, to),
				fmt.Sprintf("declare the small interface or data type you need in %s and let cmd/vyretop wire it; %s may import: %s", from, from, allowed(from))))
		}
	}
	return found
}

// moduleImport returns the directory of an import that is inside the module.
func moduleImport(spec *ast.ImportSpec) (dir string, ok bool) {
	return strings.CutPrefix(importPath(spec), Module+"/")
}

func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return p
}

func mayImport(from, to string) bool {
	return from == to || to == "engine/fault" || to == "engine/units" || slices.Contains(layers[from], to) || slices.Contains(layers[from], anything)
}

func allowed(layer string) string {
	if len(layers[layer]) == 0 {
		return "nothing of this module"
	}
	return strings.Join(layers[layer], ", ")
}

// unsafeLayers may import unsafe: gl for memory that the driver maps, engine for the view of it.
var unsafeLayers = []string{"gl", "engine"}

// unsafeTest hands the kernel structures for which package unix has no calls.
const unsafeTest = "cmd/vyretop/seccomp_linux_amd64_test.go"

// checkUnsafe finds cgo outside gl, and unsafe outside gl and engine. It looks at test files too.
func checkUnsafe(f *file) []Finding {
	layer := layerOf(f.dir)
	var found []Finding
	for _, spec := range f.ast.Imports {
		switch p := importPath(spec); {
		case p == "C" && layer != "gl":
			found = append(found, f.report(spec.Pos(), "cgo", "cgo is used outside gl", "put the call behind an interface that package gl implements"))
		case p == "unsafe" && !slices.Contains(unsafeLayers, layer) && f.path != unsafeTest:
			found = append(found, f.report(spec.Pos(), "unsafe", "unsafe is used outside gl and engine", "use engine.Words for shared memory and encoding/binary for bytes"))
		}
	}
	return found
}
