package debugger

import "slices"

// Lanes is a table of values by lane of the selected workgroup.
type Lanes struct {
	Active  []bool // by lane: it takes part in the next instruction
	Columns []Column
}

// Column is one expression for every lane.
type Column struct {
	Expr   string
	Values []string // by lane
}

// Uniform reports whether all lanes have the same value.
func (c Column) Uniform() bool {
	return !slices.ContainsFunc(c.Values, func(v string) bool { return v != c.Values[0] })
}

// Lanes evaluates expressions for every lane of the selected workgroup; none means the variables in scope.
func (s *Session) Lanes(exprs []string) (Lanes, error) {
	t := Lanes{Active: s.Active()}
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
		c := Column{Expr: text}
		for s.lane = range t.Active {
			v, err := s.scope().eval(x)
			if err != nil {
				return t, err
			}
			c.Values = append(c.Values, v.String())
		}
		t.Columns = append(t.Columns, c)
	}
	return t, nil
}
