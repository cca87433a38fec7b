package units

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Member is a member of a JSON object, with its value for people.
type Member struct{ Name, Value string }

// Members lists the top-level members of a value's JSON object in their order. Other values have none.
func Members(v any) []Member { return membersBy(v, plain) }

// membersBy lists the members with their values as show writes them.
func membersBy(v any, show func(json.RawMessage) string) []Member {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	var out []Member
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return out
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return out
		}
		out = append(out, Member{name.(string), show(raw)})
	}
	return out
}

// plain shows a JSON value without the quotes of a string, texts by name as a list, and objects of a list a line each.
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
	var objects []json.RawMessage
	if raw[0] == '[' && json.Unmarshal(raw, &objects) == nil && len(objects) > 0 && objects[0][0] == '{' {
		return list(objects)
	}
	return string(raw)
}

// list writes objects, a line for each, with their members behind their names.
func list(objects []json.RawMessage) string {
	lines := make([]string, len(objects))
	for i, o := range objects {
		var members []string
		for _, f := range membersBy(o, func(raw json.RawMessage) string { return string(raw) }) {
			members = append(members, f.Name+" "+f.Value)
		}
		lines[i] = strings.Join(members, ", ")
	}
	return strings.Join(lines, "\n")
}
