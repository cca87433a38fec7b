package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vyretop/engine/plainfile"
	"vyretop/fixtures"
	"vyretop/megakernel/units"
)

// newRecover makes the command that rescues what is left of a damaged recording.
func newRecover(a *app, _ []string) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "recover FILE [OUT]",
		Short: "Rescue what is whole of a damaged recording, and say what is missing",
		Long: "Write a recording with all messages of FILE that are not in damaged chunks, and print what is missing, by channel and time. FILE stays as it is. OUT must not exist " +
			"(default: FILE with -recovered before its extension).\n\nThe exit status is 1 if something is missing.",
		Example: "vyretop recover run.mcap\nvyretop recover run.mcap whole.mcap --json",
		Args:    arguments(1, 2, "FILE"),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.RunE = func(_ *cobra.Command, args []string) error {
		out := recoveredName(args[0])
		if len(args) == 2 {
			out = args[1]
		}
		return recoverFile(a, args[0], out, asJSON)
	}
	return c
}

// recoveredName is where a recording is written that is recovered from a file.
func recoveredName(file string) string {
	ext := filepath.Ext(file)
	return strings.TrimSuffix(file, ext) + "-recovered" + ext
}

func recoverFile(a *app, name, out string, asJSON bool) (err error) {
	in, err := plainfile.Open(name)
	if err != nil {
		return plainfile.Failure("recover", name, err, plainfile.Fix(err))
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	info, err := in.Stat()
	if err != nil {
		return plainfile.Failure("recover", name, err, plainfile.Fix(err))
	}
	if info, err := os.Stat(out); err == nil && info.Size() > 0 {
		return fixtures.Exists(out)
	}
	var found *fixtures.Recovered
	var refused error
	err = plainfile.Replace(out, 0o600, func(w io.Writer) error {
		found, refused = fixtures.Recover(in, info.Size(), name, w)
		return refused
	})
	switch {
	case refused != nil:
		return refused
	case err != nil:
		return plainfile.Failure("write the recording", out, err, "choose a file that can be written")
	}
	if found.Open || len(found.Missing) > 0 {
		a.status = exitFailed
	}
	d := newRecoverDocument(name, out, found)
	if asJSON {
		return writeJSON(a.stdout, d)
	}
	return d.write(a.stdout)
}

// recoverDocument is the JSON document of a recovery.
type recoverDocument struct {
	Schema   string           `json:"schema"`
	File     string           `json:"file"`
	Out      string           `json:"out"`
	Chunks   int              `json:"chunks"`
	Messages map[string]int   `json:"messages"` // that were rescued, by channel
	Missing  []recoverMissing `json:"missing"`
	Damaged  int64            `json:"damaged_bytes"`
	Open     bool             `json:"open"` // the file breaks off: what came behind is not known
	Seconds  float64          `json:"end_seconds"`
}

type recoverMissing struct {
	Channel  string  `json:"channel"`
	Messages int     `json:"messages"`
	From     float64 `json:"from_seconds"`
	To       float64 `json:"to_seconds"`
}

func newRecoverDocument(file, out string, r *fixtures.Recovered) *recoverDocument {
	d := &recoverDocument{Schema: "vyretop.recovery/1", File: file, Out: out, Chunks: r.Chunks, Messages: r.Messages, Missing: []recoverMissing{}, Damaged: r.Bytes, Open: r.Open, Seconds: r.End.Seconds()}
	for _, m := range r.Missing {
		d.Missing = append(d.Missing, recoverMissing{m.Channel, m.Messages, m.From.Seconds(), m.To.Seconds()})
	}
	return d
}

func (d *recoverDocument) write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, up to %.3f s, rescued to %s\n", d.File, units.Plural(d.Chunks, "chunk"), d.Seconds, d.Out)
	for _, channel := range slices.Sorted(maps.Keys(d.Messages)) {
		fmt.Fprintf(&b, "  %-10s %s\n", channel, units.Plural(d.Messages[channel], "message"))
	}
	for _, m := range d.Missing {
		fmt.Fprintf(&b, "missing: %-10s %s between %.3f and %.3f s\n", m.Channel, units.Plural(m.Messages, "message"), m.From, m.To)
	}
	if d.Open {
		fmt.Fprintf(&b, "missing: what was recorded after %v; the file breaks off\n", time.Duration(d.Seconds*float64(time.Second)).Round(time.Millisecond))
	}
	if d.Damaged > 0 {
		fmt.Fprintf(&b, "%d bytes of the file cannot be used\n", d.Damaged)
	}
	if !d.Open && len(d.Missing) == 0 {
		b.WriteString("nothing is missing\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
