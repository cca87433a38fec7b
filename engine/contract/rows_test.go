package contract

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// contractRow is one row of the contract with the tests that show it: names of this package, which run on
// each backend, or "folder.Name" of another one.
type contractRow struct {
	group, item   string
	both          string
	gl, reference string // further tests of one backend
}

var rows = []contractRow{
	{"DispatchConfig", "Profile", "TestConfigProfile", "", ""},
	{"DispatchConfig", "ULPBudget", "TestConfigULPBudget", "gl.TestULPBudgetHolds gl.TestFloatsEqualReference", ""},
	{"DispatchConfig", "Timeout", "TestConfigTimeout TestEndlessKernel", "gl.TestTimeoutStopsTheKernel gl.TestTimeoutEndsWhatIsQueued", "engine/reference.TestTimeoutStopsADispatch"},
	{"DispatchConfig", "Label", "TestConfigLabel", "gl.TestLabelNamesTheDebugGroup", ""},
	{"DispatchConfig", "MaxOutputBytes", "TestConfigMaxOutputBytes", "", ""},
	{"DispatchConfig", "WorkgroupOverride", "TestConfigWorkgroupOverride", "", ""},
	{"DispatchConfig", "Grid (override), derived grid", "TestConfigGrid", "", ""},
	{"DispatchConfig", "FixpointIterations", "TestConfigFixpointIterations", "", ""},
	{"DispatchConfig", "Speculation", "TestSpeculation TestSpeculationBadInput", "", ""},
	{"DispatchConfig", "PersistentThread", "TestPersistentThread", "gl.TestWorkersRunTheGrid gl.TestUnprobedDevicePromisesNothing engine/stage.TestWorkersEqualTheGrid", ""},
	{"DispatchConfig", "Cooperative", "TestCooperative TestGridBarrier", "gl.TestUnprobedDevicePromisesNothing", ""},
	{"DispatchConfig", "Indirect", "TestIndirect", "", ""},

	{"Program, errors, resources", "program", "TestProgram TestBadKernels", "gl.TestProgramAndTextMustAgree gl.TestKernelsOutsideTheLanguageRun", "engine/reference.TestCompileRefusesWhatItCannotRun"},
	{"Program, errors, resources", "errors", "TestErrors TestBadBindings TestBadKernels", "gl.TestCompileErrorNamesTheUsersLine", ""},
	{"Program, errors, resources", "resources", "TestResourceSizes TestResidentFree", "", ""},
	{"Program, errors, resources", "determinism, equal to the reference", "TestGridBarrier TestConfigULPBudget", "engine/conformance.TestOpenGLConforms", "engine/conformance.TestReferenceConformsToItself"},

	{"Backend", "id, version", "TestIdentity", "", ""},
	{"Backend", "operations", "TestOperations", "", ""},
	{"Backend", "dispatch: owned", "TestDispatchOwned", "", ""},
	{"Backend", "dispatch: borrowed", "TestDispatchBorrowed", "", ""},
	{"Backend", "dispatch: into caller's outputs", "TestDispatchInto", "", ""},
	{"Backend", "dispatch: timed", "TestDispatchTimed", "gl.TestTimingIsComplete", ""},
	{"Backend", "dispatch: once", "TestOnce", "", ""},
	{"Backend", "asynchronous", "TestAsync", "gl.TestQueuedDispatchesRunInOrder gl.TestNextSliceQueuesBehindAResidentOne", ""},
	{"Backend", "resident: allocate, upload, download, timed dispatch", "TestResident TestResidentLengths", "", ""},
	{"Backend", "resident: free", "TestResidentFree", "gl.TestBusyBuffersAreNotFreed", ""},
	{"Backend", "compile from a shared program", "TestPipelineIdentity", "", ""},
	{"Backend", "compile: cache counters, cache on disk", "TestCompileCache", "gl.TestLaterBackendsFindPrograms gl.TestDamagedProgramsAreCompiledAgain gl.TestProgramsTheDriverRefuses gl.TestBackendsShareADirectory", ""},
	{"Backend", "capabilities", "TestCapabilities TestSubgroups", "gl.TestUnprobedDevicePromisesNothing", ""},
	{"Backend", "device profile", "TestDeviceProfile", "", ""},
	{"Backend", "lifecycle: prepare", "TestPrepare", "", ""},
	{"Backend", "lifecycle: flush", "TestFlush", "", ""},
	{"Backend", "lifecycle: shutdown", "TestShutdown", "gl.TestCloseUnderTraffic", ""},
	{"Backend", "lifecycle: device lost, recovery", "TestDeviceLost", "gl.TestContextDestroyedUnderneath gl.TestStagingSurvivesALoss", ""},
	{"Backend", "grid barrier", "TestGridBarrier TestGridBarrierLimits", "engine/stage.TestPartsEqualNative engine/stage.TestRandomKernels", "engine/reference.TestScripts"},

	{"Pipeline", "id", "TestPipelineIdentity", "", ""},
	{"Pipeline", "dispatch, bit-identical", "TestPipelineRepeats", "", ""},
	{"Pipeline", "borrowed, timed, into caller's storage", "TestDispatchBorrowed TestDispatchTimed TestDispatchInto", "", ""},
	{"Pipeline", "batch, batch into caller's storage", "TestPipelineBatch", "", ""},
	{"Pipeline", "mixed host and resident, the same into caller's storage", "TestPipelineMixed", "", ""},
	{"Pipeline", "resident in, resident out; batches of them", "TestPipelineResidentOut", "", ""},
	{"Pipeline", "rows of four resources", "TestPipelineRows", "", ""},

	{"Megakernel launch", "configuration, validation", "megakernel/policy.TestConfig", "", ""},
	{"Megakernel launch", "requests for queues and tasks, recommendation", "megakernel/policy.TestRequestForTasks megakernel/policy.TestRecommend", "", ""},
	{"Megakernel launch", "geometry, sizing", "megakernel/policy.TestGeometryForItems megakernel/policy.TestWidth megakernel/policy.TestGrid", "", ""},
}

var rewrite = flag.Bool("rewrite", false, "write docs/conformance.md again")

const (
	moduleRoot = "../.."
	docPath    = moduleRoot + "/docs/conformance.md"
)

// TestConformancePageIsFresh compares docs/conformance.md with the table; -rewrite writes it.
func TestConformancePageIsFresh(t *testing.T) {
	want := page(t)
	if *rewrite {
		check(t, os.WriteFile(docPath, want, 0o644))
	}
	got, err := os.ReadFile(docPath)
	check(t, err)
	if !bytes.Equal(got, want) {
		t.Error("docs/conformance.md is stale. Fix: go test ./engine/contract -run ConformancePage -rewrite")
	}
}

// TestEveryTestBelongsToARow: a test that no row names would prove nothing that anybody can find.
func TestEveryTestBelongsToARow(t *testing.T) {
	named := map[string]bool{"TestMain": true, "TestConformancePageIsFresh": true, "TestEveryTestBelongsToARow": true}
	for _, r := range rows {
		for _, name := range strings.Fields(r.both) {
			named[name] = true
		}
	}
	for name := range tests(t, "engine/contract") {
		if !named[name] {
			t.Errorf("%s belongs to no row", name)
		}
	}
}

func page(t *testing.T) []byte {
	var b bytes.Buffer
	b.WriteString(`# The backend contract and its tests

Each row of the contract is shown by the tests named here, on every backend; a test without a folder is in
[engine/contract](../engine/contract). Generated: ` + "`go test ./engine/contract -run ConformancePage -rewrite`" + ` writes this page.
Run the tests with ` + "`go test -tags egl ./engine/contract ./gl ./engine/reference`" + `.

| | row | gl | engine/reference |
|---|---|---|---|
`)
	group := ""
	for _, r := range rows {
		head := ""
		if r.group != group {
			head, group = r.group, r.group
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", head, r.item, links(t, r.both+" "+r.gl), links(t, r.both+" "+r.reference))
	}
	return b.Bytes()
}

// links names tests with the files that they are in.
func links(t *testing.T, names string) string {
	var out []string
	for _, name := range strings.Fields(names) {
		dir, test := "engine/contract", name
		if at := strings.LastIndexByte(name, '.'); at >= 0 {
			dir, test = name[:at], name[at+1:]
		}
		file, ok := tests(t, dir)[test]
		if !ok {
			t.Errorf("there is no test %s in %s", test, dir)
		}
		out = append(out, fmt.Sprintf("[%s](../%s/%s)", name, dir, file))
	}
	return strings.Join(out, " ")
}

var parsed = map[string]map[string]string{}

// tests maps the test functions of a folder to their files, whatever the build tags.
func tests(t *testing.T, dir string) map[string]string {
	if parsed[dir] != nil {
		return parsed[dir]
	}
	found := map[string]string{}
	files, err := filepath.Glob(filepath.Join(moduleRoot, dir, "*_test.go"))
	check(t, err)
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		check(t, err)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") {
				found[fn.Name.Name] = filepath.Base(path)
			}
		}
	}
	if len(found) == 0 {
		t.Fatalf("no tests in %s: %v", dir, slices.Sorted(maps.Keys(parsed)))
	}
	parsed[dir] = found
	return found
}
