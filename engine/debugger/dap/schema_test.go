package dap

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// protocol is the published JSON schema of the protocol, as the module of its types ships it. It is read from the module
// cache, so that schema and types are of one version, and nothing is copied.
var protocol = sync.OnceValues(func() (*jsonschema.Compiler, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/go-dap").Output()
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "cmd/gentypes/debugProtocol.json"))
	if err != nil {
		return nil, err
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	return c, c.AddResource("protocol.json", schema)
})

var compiled sync.Map // *jsonschema.Schema by definition

// definition is the schema of a kind of message.
func definition(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	if s, ok := compiled.Load(name); ok {
		return s.(*jsonschema.Schema)
	}
	c, err := protocol()
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("protocol.json#/definitions/" + name)
	if err != nil {
		t.Fatal(err)
	}
	compiled.Store(name, s)
	return s
}

// validate compares a message with the protocol's schema.
func validate(t testing.TB, name string, message []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(message))
	if err == nil {
		err = definition(t, name).Validate(value)
	}
	if err != nil {
		t.Errorf("%s does not fit the protocol: %v\n%s", name, err, message)
	}
}
