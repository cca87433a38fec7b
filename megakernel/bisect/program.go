package bisect

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"vyretop/engine/fault"
	"vyretop/megakernel/replay"
)

// ErrProgram is matched by errors about a program that does not execute recordings.
const ErrProgram fault.Kind = "the program does not execute recordings"

// maxSaid bounds what is read of a program.
const maxSaid = 16 << 20

// verifyBy has another version of vyretop execute a recording.
func verifyBy(ctx context.Context, program, file string) (*replay.Document, error) {
	if !strings.ContainsRune(program, filepath.Separator) {
		program = "." + string(filepath.Separator) + program
	}
	c := exec.CommandContext(ctx, program, "replay", file, "--verify", "--backend", "reference", "--json")
	out, said := &bounded{most: maxSaid}, &bounded{most: 1 << 10}
	c.Stdout, c.Stderr = out, said
	err := c.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	d := new(replay.Document)
	if bad := json.Unmarshal(out.Bytes(), d); bad == nil && d.Schema == replay.VerificationSchema {
		return d, nil
	}
	detail := strings.TrimSpace(said.String())
	if detail == "" {
		detail = fmt.Sprint("it prints no document of a verification: ", err)
	}
	return nil, &fault.Error{Kind: ErrProgram, Op: "execute a recording", Subject: program, Detail: detail, Fix: "give programs that know vyretop replay --verify --json"}
}

// bounded keeps the first bytes that are written to it.
type bounded struct {
	bytes.Buffer

	most int
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), max(b.most-b.Len(), 0))])
	return len(p), nil
}
