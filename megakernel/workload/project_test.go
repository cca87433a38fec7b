package workload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"vyretop/engine/lsp"
)

// editWith sends messages to a language server and gives its answers by their IDs, and the diagnostics by the names of files.
func editWith(t *testing.T, e *Project, contents ...string) (results map[int]string, diagnostics map[string]string) {
	t.Helper()
	var in, out bytes.Buffer
	for _, c := range append([]string{`{"id":0,"method":"initialize","params":{"capabilities":{}}}`}, contents...) {
		fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(c), c)
	}
	if err := lsp.Serve(t.Context(), &in, &out, "", e); err != nil {
		t.Fatal(err)
	}
	results, diagnostics = map[int]string{}, map[string]string{}
	for _, part := range strings.Split(out.String(), "Content-Length: ")[1:] {
		_, content, _ := strings.Cut(part, "\r\n\r\n")
		var m struct {
			ID     *int
			Result json.RawMessage
			Params struct {
				URI         string
				Diagnostics []struct {
					Range   struct{ Start struct{ Line, Character int } }
					Message string
				}
			}
		}
		if err := json.Unmarshal([]byte(content), &m); err != nil {
			t.Fatal(err)
		}
		if m.ID != nil {
			results[*m.ID] = string(m.Result)
			continue
		}
		var lines []string
		for _, d := range m.Params.Diagnostics {
			lines = append(lines, fmt.Sprintf("%d:%d: %s", d.Range.Start.Line+1, d.Range.Start.Character+1, d.Message))
		}
		diagnostics[filepath.Base(m.Params.URI)] = strings.Join(lines, "\n")
	}
	return results, diagnostics
}

// opening is the message that opens a file with a text.
func opening(path, text string) string {
	return fmt.Sprintf(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file://%s","languageId":"glsl","version":1,"text":%s}}}`, path, strconv.Quote(text))
}

// asking is a request about a place, counted from 1.
func asking(id int, method, path string, line, column int) string {
	return fmt.Sprintf(`{"id":%d,"method":"textDocument/%s","params":{"textDocument":{"uri":"file://%s"},"position":{"line":%d,"character":%d}}}`, id, method, path, line-1, column-1)
}

const editedManifest = `
name = "double"
[[buffer]]
name = "numbers"
binding = 8
words = 4
[[opcode]]
number = 8
name = "double"
handler = "double_it"
file = "double.glsl"
[[task]]
opcode = 8
count = 4
`

const editedHandler = `layout(std430, binding = 8) buffer Numbers { uint numbers[]; };
void double_it(inout Task t) {
    numbers[t.input_handle] *= 2u;
    task_done(t);
}
`

func TestAHandlerIsEditedTogetherWithTheWordsOfTheKernel(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"as it is", editedHandler, ""},
		{"unknown words", strings.ReplaceAll(editedHandler, "task_done(t)", "task_gone(t)"), `4:5: the function "task_gone" is not declared. Fix: declare it before its first use, or correct the spelling`},
		{"several errors", strings.ReplaceAll(strings.ReplaceAll(editedHandler, "2u", "x"), "numbers[t", "numbers[t."), "3:15: expected a member or components after the dot, before \".\". Fix: correct the syntax here"},
		{"an error in a head", strings.ReplaceAll(editedHandler, "t)", "t, )"), `2:30: expected a parameter after the comma. Fix: correct the syntax here`},
		{"another binding", strings.ReplaceAll(editedHandler, "= 8", "= 9"), `1:36: block Numbers has binding 9, and no buffer of the manifest has that. Fix: add a [[buffer]] with binding = 9 and words = N to workload.toml, or correct the binding here or there`},
		{"no handler", strings.ReplaceAll(editedHandler, "double_it", "twice"), `1:1: the function "double_it" is not declared. Fix: declare it before its first use, or correct the spelling`},
		{"a barrier of one lane", strings.ReplaceAll(editedHandler, "task_done(t);", "barrier(); task_done(t);"), `1:1: megakernel: handler double: it has a barrier, but each lane runs a task of its own. Fix: make the handler cooperative, or take the barrier out`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "double.glsl")
			for name, text := range map[string]string{"workload.toml": editedManifest, "double.glsl": editedHandler} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			e := &Project{dir: filepath.Join(dir, "copies")}
			results, diagnostics := editWith(t, e, opening(path, c.text), asking(1, "definition", path, 3, 16), asking(2, "completion", path, 3, 15))
			if diagnostics["double.glsl"] != c.want {
				t.Errorf("diagnostics are\n%s\nwant\n%s", diagnostics["double.glsl"], c.want)
			}
			if c.name != "as it is" {
				return
			}
			copied := filepath.Join(dir, "copies", "vyretop", "task.glsl")
			if !strings.Contains(results[1], "file://"+copied) {
				t.Errorf("input_handle is defined at %s, want in %s", results[1], copied)
			}
			if !strings.Contains(results[2], `"continuation_pc"`) {
				t.Errorf("completions of a task are %s", results[2])
			}
			own, err := os.ReadFile(copied)
			if err != nil {
				t.Fatal(err)
			}
			if _, diagnostics := editWith(t, e, opening(copied, string(own))); diagnostics["task.glsl"] != "" {
				t.Errorf("a file of the kernel itself has the diagnostics %s", diagnostics["task.glsl"])
			}
		})
	}
}

func TestAFileOfNoManifestIsEdited(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	const kernel = "#version 450\n#include \"part.glsl\"\nlayout(local_size_x = 1) in;\nvoid main() { part(); }\n"
	for _, c := range []struct {
		name     string
		messages []string
		want     map[string]string
	}{
		{"a handler", []string{opening(path("h.glsl"), "void h(inout Task t) { task_done(t); }\n")}, map[string]string{"h.glsl": ""}},
		{"a part of an open kernel", []string{opening(path("part.glsl"), "void part() { wrong(); }\n"), opening(path("k.comp"), kernel)},
			map[string]string{
				"k.comp":    "2:1: " + path("part.glsl") + `:1:15: the function "wrong" is not declared. Fix: declare it before its first use, or correct the spelling`,
				"part.glsl": `1:15: the function "wrong" is not declared. Fix: declare it before its first use, or correct the spelling`,
			}},
		{"a kernel without its part", []string{opening(path("k.comp"), kernel)}, map[string]string{"k.comp": `2:2: the included file "part.glsl" is not found (looked at ` + path("part.glsl") + `). Fix: correct the name, or add the folder that holds it to the search path`}},
	} {
		_, diagnostics := editWith(t, &Project{}, c.messages...)
		for name, want := range c.want {
			if diagnostics[name] != want {
				t.Errorf("%s: diagnostics of %s are\n%s\nwant\n%s", c.name, name, diagnostics[name], want)
			}
		}
	}
}

func TestAManifestWithErrorsIsSaidOfItsHandlers(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "workload.toml"), []byte("name = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, diagnostics := editWith(t, &Project{}, opening(filepath.Join(dir, "h.glsl"), "void h(inout Task t) { task_done(t); wrong(); }\n"))
	if d := diagnostics["h.glsl"]; !strings.Contains(d, "workload.toml:1") || !strings.Contains(d, `"wrong" is not declared`) {
		t.Errorf("diagnostics are\n%s\nwant those of the manifest and of the handler", d)
	}
}
