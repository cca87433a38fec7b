package main

import (
	"encoding/json"
	"io"
)

// writeJSON prints a document, indented, with a newline at its end.
func writeJSON(w io.Writer, document any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(document)
}

// finding is what a command found out about something, such as whether two runs are equal.
type finding interface {
	Write(w io.Writer) error
}

// printFinding prints what was found, as text or JSON. The exit status says whether it is as it should be.
func (a *app) printFinding(d finding, sound, asJSON bool) error {
	if !sound {
		a.status = exitFailed
	}
	if asJSON {
		return writeJSON(a.stdout, d)
	}
	return d.Write(a.stdout)
}
