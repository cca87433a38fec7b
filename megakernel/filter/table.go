package filter

// The columns of the tables of a target have the names that filters, sorting, JSON and commands use. The dashboard and
// the commands print the same tables; some columns are of one of them only: what needs several samples is known in the
// dashboard, what a screen has no room for is printed by commands. Tests of both hold them to these lists.

// Where a column is known.
type Where uint8

// The places of a column; Both is the rule.
const (
	Dashboard Where = 1
	Command   Where = 2
	Both            = Dashboard | Command
)

// Type is what a column has: with what a filter may compare it.
type Type uint8

// The types of columns.
const (
	Any    Type = iota // a text, or what can be compared both as a number and as the text that is printed
	Number             // a whole number
	ID                 // the ID of a task or worker
)

// Column is a column of a table.
type Column struct {
	Name  string
	Where Where
	Type  Type
}

// Table is the columns of a table. Their order is that of the command's.
type Table []Column

// Names are the names of the columns that are known at a place.
func (t Table) Names(at Where) []string {
	var names []string
	for _, c := range t {
		if c.Where&at != 0 {
			names = append(names, c.Name)
		}
	}
	return names
}

// types are those of the columns of a target's tables, by name: a name has the same type in each.
var types = typesOf(WorkerColumns, TaskColumns, LogColumns, EventColumns)

func typesOf(tables ...Table) map[string]Type {
	out := make(map[string]Type)
	for _, t := range tables {
		for _, c := range t {
			out[c.Name] = c.Type
		}
	}
	return out
}
