package pane

import (
	"strconv"

	"vyretop/tui/theme"
)

// appendVitals adds what the device that the target runs on reports of itself, as far as it does. The renderer
// gives way to it.
func (f *Frame) appendVitals(out []segment) []segment {
	d := f.Snap.Vitals.Target()
	if d == nil {
		return out
	}
	var b [32]byte
	if v, ok := d.Utilization.Get(); ok {
		out = append(out, dim("gpu ", 4).with(percentWidth, append(strconv.AppendUint(b[:0], uint64(v), 10), '%')))
	}
	if used, ok := d.MemoryUsed.Get(); ok {
		text := appendGiB(b[:0], used)
		if total, ok := d.MemoryTotal.Get(); ok {
			text = appendGiB(append(text, '/'), total)
		}
		s := dim("mem ", 2).with(0, text)
		s.after = " GiB"
		out = append(out, s)
	}
	if v, ok := d.Clock.Get(); ok {
		out = append(out, number(uint64(v), " MHz"))
	}
	if v, ok := d.Power.Get(); ok {
		out = append(out, number((uint64(v)+500)/1000, " W"))
	}
	if v, ok := d.Temperature.Get(); ok {
		out = append(out, number(uint64(v), " C"))
	}
	if why, ok := d.Throttle.Get(); ok && why.Slowed() {
		out = append(out, plain(why.String(), theme.Warning, 3))
	}
	return out
}

// number is a value with its unit.
func number(v uint64, unit string) segment {
	var b [20]byte
	s := dim("", 2).with(0, strconv.AppendUint(b[:0], v, 10))
	s.after = unit
	return s
}

func appendGiB(dst []byte, bytes uint64) []byte {
	return strconv.AppendFloat(dst, float64(bytes)/(1<<30), 'f', 1, 64)
}
