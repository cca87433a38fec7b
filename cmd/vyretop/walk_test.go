package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"vyretop/engine/device"
	"vyretop/gl"
)

// TestWalks performs the walks of docs/debugging.md through the bugs of docs/examples: live on each backend, in the recordings of
// these runs, and in those of fixtures/recordings/walks, whose names are EXAMPLE-DEVICE.mcap.
func TestWalks(t *testing.T) {
	t.Parallel()
	backends := []string{device.Reference}
	if openGLBuilt {
		backends = append(backends, "gl")
	}
	made := map[string]string{} // recordings of the examples, by what they are called here
	for _, backend := range backends {
		dir := t.TempDir()
		ok := t.Run("live "+backend, func(t *testing.T) {
			walk(t, "live", walked(backend), map[string]string{"BACKEND": backend}, dir, backend == device.Reference || *everyVariant)
		})
		if !ok {
			return
		}
		made[backend] = dir
	}
	for name, dir := range made {
		t.Run("recorded on "+name, func(t *testing.T) { walk(t, "recorded", walked(name), nil, dir, false) })
	}
	kept := map[string]string{}
	for _, example := range examplesWithABug {
		files, err := filepath.Glob("../../fixtures/recordings/walks/" + example + "-*.mcap")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			device := filepath.Base(file)[len(example)+1:]
			if kept[device] == "" {
				kept[device] = t.TempDir()
			}
			linkTo(t, file, filepath.Join(kept[device], example+".mcap"))
		}
	}
	for name, dir := range kept {
		t.Run("recorded in "+name, func(t *testing.T) { walk(t, "recorded", examplesWithABug, nil, dir, false) })
	}
}

var examplesWithABug = []string{"total", "relay", "histogram"}

// walked are the examples that are walked through on a backend. Without -everyvariant it is one on OpenGL: on processors it compiles a
// kernel for each breakpoint, for seconds.
func walked(backend string) []string {
	if backend == device.Reference || *everyVariant {
		return examplesWithABug
	}
	return examplesWithABug[:1]
}

func linkTo(t *testing.T, file, name string) {
	t.Helper()
	whole, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(whole, name); err != nil {
		t.Fatal(err)
	}
}

// walk runs the scripts of examples in a folder of testdata/walk. A script finds, or writes, its recording in dir.
func walk(t *testing.T, folder string, examples []string, vars map[string]string, dir string, mended bool) {
	t.Helper()
	shaders, err := shaderCache()
	if err != nil {
		t.Fatal(err)
	}
	texts, err := filepath.Abs("../../docs/examples")
	if err != nil {
		t.Fatal(err)
	}
	scripts := make([]string, len(examples))
	for i, example := range examples {
		scripts[i] = filepath.Join("testdata/walk", folder, example+".txtar")
	}
	testscript.Run(t, testscript.Params{
		Files: scripts,
		Cmds:  map[string]func(*testscript.TestScript, bool, []string){"status": cmdStatus, "until": cmdUntil},
		Condition: func(name string) (bool, error) {
			if name == "mended" {
				return mended, nil
			}
			return condition(name)
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("MESA_SHADER_CACHE_DIR", shaders)
			e.Setenv(gl.ProgramCacheVariable, e.WorkDir+"/.programs")
			e.Setenv("XDG_RUNTIME_DIR", e.WorkDir)
			e.Setenv("PATIENCE", patience.String())
			e.Setenv(ownerVariable, os.Getenv(ownerVariable))
			example := exampleOf(e)
			e.Setenv("RECORDING", filepath.Join(dir, example+".mcap"))
			for name, value := range vars {
				e.Setenv(name, value)
			}
			return os.Symlink(filepath.Join(texts, example), filepath.Join(e.WorkDir, example))
		},
		RequireExplicitExec: true,
		UpdateScripts:       *rewrite,
	})
}

// exampleOf is the example that a script is named after: testscript names the folder of a script so.
func exampleOf(e *testscript.Env) string {
	return filepath.Base(e.WorkDir)[len("script-"):]
}

// changeless is what commands of scripts have beside those that a reader types.
var changeless = regexp.MustCompile(`^(! )?((status|until) \d+|exec) | --(backend|record|exec|timeout|for) \S+| &\w*&?$`)

// TestWalksAreWhatTheDocumentShows: the commands of the walks in docs/debugging.md are those of the scripts, and their texts those of
// docs/examples.
func TestWalksAreWhatTheDocumentShows(t *testing.T) {
	page, err := os.ReadFile("../../docs/debugging.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Walk through three bugs\n")
	section, _, _ = strings.Cut(section, "\n## ")
	commands, asked := scripted(t)
	shown := 0
	for _, block := range codeBlock.FindAllStringSubmatch(section, -1) {
		if block[1] == "glsl" && !inExamples(t, block[2]) {
			t.Errorf("no example has the text\n%s", block[2])
		}
		for line := range strings.Lines(block[2]) {
			line = strings.TrimSpace(line)
			if command, ok := strings.CutPrefix(line, "$ vyretop "); ok {
				shown++
				if !commands[changeless.ReplaceAllString("vyretop "+command, "")] {
					t.Errorf("no script of testdata/walk runs %s", command)
				}
			}
			if command, ok := strings.CutPrefix(line, "(vyretop) "); ok && !asked[command] {
				t.Errorf("no script of testdata/walk tells the debugger %s", command)
			}
		}
	}
	if shown < 20 {
		t.Errorf("the section shows only %d commands", shown)
	}
}

// scripted are the commands of the scripts, as a reader types them, and those that they tell the debugger.
func scripted(t *testing.T) (commands, asked map[string]bool) {
	t.Helper()
	files, err := filepath.Glob("testdata/walk/*/*.txtar")
	if err != nil || len(files) != 6 {
		t.Fatalf("%v, %v", files, err)
	}
	commands, asked = map[string]bool{}, map[string]bool{}
	for _, file := range files {
		script, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(script.Comment)) {
			line = changeless.ReplaceAllString(strings.TrimSpace(line), "")
			commands[strings.ReplaceAll(changeless.ReplaceAllString(line, ""), "--wait $PATIENCE", "--wait 1m")] = true
		}
		for _, f := range script.Files {
			for line := range strings.Lines(string(f.Data)) {
				asked[strings.TrimSpace(line)] = true
			}
		}
	}
	return commands, asked
}

func inExamples(t *testing.T, text string) bool {
	t.Helper()
	for _, pattern := range []string{"../../docs/examples/*/*.glsl", "../../docs/examples/*/mended/*.glsl"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) < 3 {
			t.Fatalf("%v, %v", files, err)
		}
		for _, file := range files {
			if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), text) {
				return err == nil
			}
		}
	}
	return false
}
