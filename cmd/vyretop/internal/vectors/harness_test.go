package vectors

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// root is the project's root, seen from this package.
const root = "../../../.."

// vector is one line of a golden file.
type vector struct {
	Op  string          `json:"op"`
	In  json.RawMessage `json:"in"`
	Out json.RawMessage `json:"out"`
	Err json.RawMessage `json:"err"`
}

// answer is what ours says to the input of a vector. Beside an error, state holds what the peer's
// vector shows of the buffers after the failure.
type answer struct {
	out   any
	state map[string]any
	err   error
}

// operation answers the vectors of one operation.
type operation func(t *testing.T, v *vector) answer

// op makes an operation of a function from decoded input to a value that encodes as the peer's output.
func op[In any](f func(In) (any, error)) operation {
	return func(t *testing.T, v *vector) answer {
		var in In
		decode(t, v.In, &in)
		out, err := f(in)
		return answer{out: out, err: err}
	}
}

// stateful is op for functions that change a buffer, of which the vectors show the state after an error.
func stateful[In any](f func(In) (out any, state map[string]any, err error)) operation {
	return func(t *testing.T, v *vector) answer {
		var in In
		decode(t, v.In, &in)
		out, state, err := f(in)
		return answer{out: out, state: state, err: err}
	}
}

// value is op for functions with one result and no error.
func value[In, Out any](f func(In) Out) operation {
	return op(func(in In) (any, error) { return single{f(in)}, nil })
}

// single is the output of operations with one unnamed result.
type single struct {
	Value any `json:"value"`
}

// none is the input of operations without any.
type none struct{}

// operations maps the files to their operations.
var operations = map[string]map[string]operation{}

func register(file string, ops map[string]operation) struct{} {
	operations[file] = ops
	return struct{}{}
}

func TestVectors(t *testing.T) {
	dir := cmp.Or(os.Getenv("VYRETOP_VECTORS"), filepath.Join(root, "..", "shared", "vectors"))
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Skipf("no golden vectors in %s; set VYRETOP_VECTORS to their folder to run this test", dir)
	}
	for _, name := range names {
		file := strings.TrimSuffix(filepath.Base(name), ".jsonl")
		t.Run(file, func(t *testing.T) { runFile(t, name, operations[file]) })
	}
}

func runFile(t *testing.T, name string, ops map[string]operation) {
	for opName, vs := range readFile(t, name) {
		t.Run(opName, func(t *testing.T) {
			if ops[opName] == nil {
				t.Fatalf("no function answers %s (%d vectors). Fix: register one", opName, len(vs))
			}
			full, left := strings.TrimSuffix(filepath.Base(name), ".jsonl")+"/"+opName, 0
			for i, v := range vs {
				if !run(t, full, i, &v, ops[opName]) {
					left++
				}
			}
			if left > 0 {
				t.Logf("%d of %d not compared: %s", left, len(vs), exceptions[full][0].reason)
			}
		})
	}
}

func readFile(t *testing.T, name string) map[string][]vector {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]vector{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out[v.Op] = append(out[v.Op], v)
	}
	if err := lines.Err(); err != nil || len(out) == 0 {
		t.Fatalf("%s: %d operations, %v", name, len(out), err)
	}
	return out
}

// run compares one vector; it reports false where an exception keeps it from doing so.
func run(t *testing.T, name string, i int, v *vector, f operation) bool {
	t.Helper()
	want := canonical(t, cmp.Or(string(v.Out), string(v.Err)))
	members, whole := excepted(name, canonical(t, string(v.In)), want)
	if whole {
		return false
	}
	a := f(t, v)
	got := a.out
	switch {
	case v.Err == nil && a.err != nil:
		t.Errorf("vector %d: %v\nin %.300s", i, a.err, v.In)
		return true
	case v.Err != nil && (a.err == nil || !strings.Contains(a.err.Error(), "Fix: ")):
		t.Errorf("vector %d: error is %v, want one like %s with a Fix\nin %.300s", i, a.err, v.Err, v.In)
		return true
	case v.Err != nil:
		got = restrict(identify(a.err), a.state, want)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	have := canonical(t, string(text))
	for _, m := range members {
		delete(want.(map[string]any), m)
		delete(have.(map[string]any), m)
	}
	if diff := gocmp.Diff(want, have); diff != "" {
		t.Errorf("vector %d (-want +got):\n%.2000s\nin %.600s", i, diff, v.In)
	}
	return true
}

// restrict merges what identifies our error with the state after it and keeps the keys of want. A
// panic of the peer says nothing else about an error than that there must be one.
func restrict(got, state map[string]any, want any) map[string]any {
	got = maps.Clone(got)
	maps.Copy(got, state)
	got["peer_panicked"] = true
	keys := want.(map[string]any)
	maps.DeleteFunc(got, func(k string, _ any) bool { _, ok := keys[k]; return !ok })
	return got
}

var integer = regexp.MustCompile(`^-?[0-9]+$`)

// canonical decodes a JSON value for comparison: numbers are their text, so that an integer is equal
// to the decimal string that the vectors use above 2^53.
func canonical(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%.100s: %v", text, err)
	}
	return walk(v, "", func(v any, _ string) any {
		if n, ok := v.(json.Number); ok {
			return n.String()
		}
		return v
	})
}

// decode reads an input, in which decimal strings stand for large integers, and refuses members that
// nothing looks at.
func decode(t *testing.T, raw json.RawMessage, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%.100s: %v", raw, err)
	}
	v = walk(v, "", func(v any, key string) any {
		if s, ok := v.(string); ok && integer.MatchString(s) && !strings.HasSuffix(key, "hex") {
			return json.Number(s)
		}
		return v
	})
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	d = json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("input %.300s: %v", text, err)
	}
}

// walk rebuilds a JSON value with every leaf replaced; key is the nearest member name above it.
func walk(v any, key string, leaf func(v any, key string) any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = walk(e, k, leaf)
		}
		return v
	case []any:
		for i, e := range v {
			v[i] = walk(e, key, leaf)
		}
		return v
	}
	return leaf(v, key)
}

// hexBytes is a byte string as the vectors write it.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(text))
	*h = b
	return err
}

func (h hexBytes) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(h)), nil }
