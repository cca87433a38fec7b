package megakernel

import (
	"fmt"
	"math"
	"strings"
)

// Text renders the record's message with its format resolved; a format id that is not known is
// shown with the raw arguments.
func (r *LogRecord) Text(formats []string) string {
	f, ok := FormatOf(r.Format, formats)
	if !ok {
		return fmt.Sprintf("format %d %x", r.Format, r.Args[:r.ArgCount])
	}
	return expand(f, r.Args[:r.ArgCount])
}

// expand replaces %u %d %x %f by the arguments; a missing one shows as "?".
func expand(format string, args []uint32) string {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		if format[i] == '%' {
			b.WriteByte('%')
			continue
		}
		if len(args) == 0 {
			b.WriteByte('?')
			continue
		}
		b.WriteString(formatArg(format[i], args[0]))
		args = args[1:]
	}
	return b.String()
}

func formatArg(verb byte, v uint32) string {
	switch verb {
	case 'd':
		return fmt.Sprint(int32(v))
	case 'x':
		return fmt.Sprintf("%x", v)
	case 'f':
		return fmt.Sprintf("%g", math.Float32frombits(v))
	default:
		return fmt.Sprint(v)
	}
}
