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
