package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// field is a name and a value for people.
type field struct{ name, value string }

// fields lists the top-level members of a value's JSON object in their order. A value that is no
// object has none.
func fields(v any) []field {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	var out []field
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return out
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return out
		}
		out = append(out, field{name.(string), plain(raw)})
	}
	return out
}

// plain shows a JSON value without the quotes of a string, and texts by name as a list.
func plain(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var named map[string]string
	if json.Unmarshal(raw, &named) == nil && len(named) > 0 {
		var list []string
		for _, name := range slices.Sorted(maps.Keys(named)) {
			list = append(list, name+" "+named[name])
		}
		return strings.Join(list, ", ")
	}
	return string(raw)
}
