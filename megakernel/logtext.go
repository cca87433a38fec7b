package megakernel

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Text renders the record's message with its format resolved; a format id that is not known is
// shown with the raw arguments.
func (r *LogRecord) Text(formats []string) string { return string(r.AppendText(nil, formats)) }

// AppendText is Text behind dst.
func (r *LogRecord) AppendText(dst []byte, formats []string) []byte {
	f, ok := FormatOf(r.Format, formats)
	if !ok {
		return fmt.Appendf(dst, "format %d %x", r.Format, r.Args[:r.ArgCount])
	}
	dst = appendExpanded(dst, f, r.Args[:r.ArgCount])
	if KindOf(r.Format) == EventFault && r.ArgCount > 0 {
		if why, known := faultTexts[FaultCode(r.Args[0])]; known {
			dst = append(append(dst, ": "...), why...)
		}
		if at := r.Source(formats); at != "" {
			dst = append(append(dst, ", "...), at...)
		}
	}
	return dst
}

// WithFiles appends the names of the files of a program to its debugf formats, the first one last: the number of a file
// counts from the end, and the formats keep their ids.
func WithFiles(formats, files []string) []string {
	out := slices.Clone(formats)
	for _, name := range slices.Backward(files) {
		out = append(out, name)
	}
	return out
}

// Source is where in a handler's text a fault was asked for, as file:line; "" for other records, for faults that the
// kernel found itself, and where formats (see WithFiles) lack the file.
func (r *LogRecord) Source(formats []string) string {
	if KindOf(r.Format) != EventFault || r.ArgCount < 2 || r.Args[1] == 0 {
		return ""
	}
	file, line := int(r.Args[1]>>16), r.Args[1]&0xFFFF
	if file >= len(formats) {
		return ""
	}
	return fmt.Sprintf("%s:%d", formats[len(formats)-1-file], line)
}

// appendExpanded replaces %u %d %x %f by the arguments; a missing one shows as "?".
func appendExpanded(dst []byte, format string, args []uint32) []byte {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			dst = append(dst, format[i])
			continue
		}
		i++
		switch {
		case format[i] == '%':
			dst = append(dst, '%')
		case len(args) == 0:
			dst = append(dst, '?')
		default:
			dst = appendArg(dst, format[i], args[0])
			args = args[1:]
		}
	}
	return dst
}

func appendArg(dst []byte, verb byte, v uint32) []byte {
	switch verb {
	case 'd':
		return strconv.AppendInt(dst, int64(int32(v)), 10)
	case 'x':
		return strconv.AppendUint(dst, uint64(v), 16)
	case 'f':
		return strconv.AppendFloat(dst, float64(math.Float32frombits(v)), 'g', -1, 32)
	default:
		return strconv.AppendUint(dst, uint64(v), 10)
	}
}
