package debugger

import (
	"slices"

	"vyretop/engine/glsl/tree"
)

// Lanes is a table of values by lane of the selected workgroup.
type Lanes struct {
	Lanes   []int  // numbers of the lanes that run what is debugged: all, or the one of Target.Alone
	Active  []bool // by lane of the workgroup: it takes part in the next instruction
	Columns []Column
}

// Column is one expression for the lanes of the table.
type Column struct {
	Expr   string
	Values []string // in the order of Lanes.Lanes
}

// Uniform reports whether all lanes have the same value.
func (c Column) Uniform() bool {
	return !slices.ContainsFunc(c.Values, func(v string) bool { return v != c.Values[0] })
}

// Lanes evaluates expressions for the lanes of the selected workgroup; none means the variables in scope. A struct that differs from
// lane to lane is listed by members.
func (s *Session) Lanes(exprs []string) (Lanes, error) {
	t := Lanes{Active: s.Active()}
	for lane := range t.Active {
		if !s.alone || lane == s.lane {
			t.Lanes = append(t.Lanes, lane)
		}
	}
	selected := s.lane
	defer func() { s.lane = selected }()
	if len(exprs) == 0 {
		for _, v := range s.Locals() {
			if !slices.Contains(exprs, v.Name) {
				exprs = append(exprs, v.Name)
			}
		}
	}
	for _, text := range exprs {
		x, err := s.scope().parse(text)
		if err != nil {
			return t, err
		}
		var values []Value
		for _, s.lane = range t.Lanes {
			v, err := s.scope().eval(x)
			if err != nil {
				return t, err
			}
			values = append(values, v)
		}
		t.Columns = append(t.Columns, columns(text, values)...)
	}
	return t, nil
}

// columns is the column of an expression, or those of the members of a struct that is not the same in all lanes.
func columns(expr string, values []Value) (list []Column) {
	c := Column{Expr: expr}
	for _, v := range values {
		c.Values = append(c.Values, v.String())
	}
	of := values[0].Type
	if of.Class != tree.ClassStruct || c.Uniform() {
		return []Column{c}
	}
	at := 0
	for _, m := range of.Struct.Members {
		n := m.Type.Components()
		part := make([]Value, len(values))
		for i, v := range values {
			part[i] = Value{m.Type, v.Words[at : at+n]}
		}
		list = append(list, columns(expr+"."+m.Name, part)...)
		at += n
	}
	return list
}
