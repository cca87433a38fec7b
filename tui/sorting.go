package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/keymap"
)

// typedSort sorts the current table: "sort state", "sort -priority yields".
func (m *model) typedSort(args []string) (tea.Cmd, error) {
	names := m.table().Fields()
	switch {
	case m.shown().Spec().Traits&keymap.Table == 0:
		return nil, misuse("sort", "view "+string(m.tab)+" has no columns")
	case len(args) == 0 || len(args) > 2 || !m.table().SortAs(args):
		return nil, misuse("sort", "name one or two of "+strings.Join(names, ", ")+", behind - to let them fall")
	}
	m.table().Remember()
	return nil, nil
}
