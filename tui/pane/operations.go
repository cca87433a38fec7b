package pane

import (
	"strconv"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// operations are the opcodes that were run, as far as the protocol counts them.
func (f *Frame) operations() (ops []uint32, most, total uint64) {
	for op := range uint32(megakernel.MetricOpcodes) {
		n, _ := f.Word(WordAt{ControlBuffer, megakernel.CtrlMetrics0 + int(op)})
		if n > 0 {
			ops = append(ops, op)
			most, total = max(most, uint64(n)), total+uint64(n)
		}
	}
	return ops, most, total
}

// OperationRows is the number of rows that DrawOperations needs, or 0 when nothing was run.
func (f *Frame) OperationRows() int {
	ops, _, _ := f.operations()
	if len(ops) == 0 {
		return 0
	}
	return len(ops) + 1
}

// DrawOperations draws how often each operation was run.
func (l *Look) DrawOperations(a cells.Area, f *Frame) {
	ops, most, total := f.operations()
	head, body := a.SplitTop(1)
	l.rule(head, "operations", append(strconv.AppendInt(l.Note(), int64(len(ops)), 10), " run, activations since launch"...))
	var b [24]byte
	for i, op := range ops {
		n, _ := f.Word(WordAt{ControlBuffer, megakernel.CtrlMetrics0 + int(op)})
		line := body.Line(i)
		line.Fit(2, 0, 14, f.appendOpcode(b[:0], op), false, l.Glyphs.Ellipsis, theme.Plain)
		line.Fit(17, 0, units.CountWidth, units.AppendCount(b[:0], uint64(n)), true, l.Glyphs.Ellipsis, theme.Plain)
		line.Fit(23, 0, 4, units.AppendPercent(b[:0], float64(n)/float64(total)), true, l.Glyphs.Ellipsis, theme.Dim)
		line.Sub(cells.Rect{X: 29, W: line.W - 30, H: 1}).Gauge(float64(n)/float64(most), l.Glyphs.Bar, ' ', theme.Graph, theme.Dim)
	}
}
