package replay

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"go/format"
	"io"
	"strings"

	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel/safe"
)

//go:embed gotest.tmpl
var goTest string

// MaxGoTest is the most bytes of a recording that a Go test holds: a source file of more is not useful.
const MaxGoTest = 8 << 20

// lineLength is that of the lines of base64.
const lineLength = 120

// WriteGoTest writes a recording, whose bytes are file, as a Go test that executes the run again. The error is ErrNotExecutable where
// that is not possible or the recording is too large, or one of w.
func WriteGoTest(w io.Writer, name string, rec *fixtures.Recording, file []byte) error {
	if _, err := newWholePlan(name, rec); err != nil {
		return err
	}
	if len(file) > MaxGoTest {
		return &fault.Error{Kind: ErrNotExecutable, Op: "write a Go test", Subject: name, Detail: fmt.Sprintf("the recording has %d bytes, a Go test holds at most %d", len(file), MaxGoTest), Fix: "record a shorter run, or verify the file with vyretop replay --verify"}
	}
	var lines strings.Builder
	for all := base64.StdEncoding.EncodeToString(file); all != ""; {
		n := min(lineLength, len(all))
		lines.WriteString(all[:n] + "\n")
		all = all[n:]
	}
	t := rec.Header().Target
	subject := safe.Text(strings.Join(strings.Fields(t.Workload+" on "+t.Backend+", "+t.Renderer), " "))
	text, err := format.Source([]byte(strings.NewReplacer("{{Subject}}", subject, "{{Lines}}\n", lines.String()).Replace(goTest)))
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
