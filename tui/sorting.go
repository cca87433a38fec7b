package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/keymap"
)

// typedSort sorts the current table: "sort state", "sort -priority yields".
func (vs *views) typedSort(args []string) (tea.Cmd, error) {
	names := vs.table().Fields()
	switch {
	case vs.shown().Spec().Traits&keymap.Table == 0:
		return nil, misuse("sort", "view "+string(vs.tab)+" has no columns")
	case len(args) == 0 || len(args) > 2 || !vs.table().SortAs(args):
		return nil, misuse("sort", "name one or two of "+strings.Join(names, ", ")+", behind - to let them fall")
	}
	vs.table().Remember()
	return nil, nil
}
