package inspect

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// object is a JSON object whose members keep their order.
type object struct{ b []byte }

func (o *object) add(name string, value any) {
	if len(o.b) == 0 {
		o.b = append(o.b, '{')
	} else {
		o.b = append(o.b, ',')
	}
	o.b = append(appendString(o.b, name), ':')
	o.b = appendValue(o.b, name, value)
}

func (o *object) end() json.RawMessage {
	if len(o.b) == 0 {
		return json.RawMessage("{}")
	}
	o.b = append(o.b, '}')
	return o.b
}

// appendValue appends the value of a member as JSON. Tables have millions of rows: what their columns hold is not
// encoded by package json.
func appendValue(b []byte, name string, value any) []byte {
	switch v := value.(type) {
	case uint64:
		return strconv.AppendUint(b, v, 10)
	case string:
		return appendString(b, v)
	case bool:
		return strconv.AppendBool(b, v)
	case named:
		return v.appendJSON(b)
	case hexWord:
		return append(v.append(append(b, '"')), '"')
	}
	return appendEncoded(b, name, value)
}

// appendEncoded appends a value as package json writes it, without escapes for HTML.
func appendEncoded(b []byte, name string, value any) []byte {
	var w bytes.Buffer
	e := json.NewEncoder(&w)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic("BUG: member " + name + ": " + err.Error()) // plain data
	}
	return append(b, bytes.TrimSuffix(w.Bytes(), []byte("\n"))...)
}

// appendString appends a text as JSON.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return appendEncoded(b, "text", s)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// appendIndented appends a row as an object of a list, indented as report.WriteJSON does.
func (t Table[T]) appendIndented(b []byte, row *T) []byte {
	const indent = "    "
	empty := true
	for i := range t {
		v := t[i].Get(row)
		if v == nil {
			continue
		}
		if empty {
			b = append(b, "{\n"+indent+"  "...)
			empty = false
		} else {
			b = append(b, ",\n"+indent+"  "...)
		}
		b = append(appendString(b, t[i].Name), ": "...)
		b = appendValue(b, t[i].Name, v)
	}
	if empty {
		return append(b, "{}"...)
	}
	return append(b, "\n"+indent+"}"...)
}
