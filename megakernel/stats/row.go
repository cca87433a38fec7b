package stats

import (
	"encoding"
	"fmt"
	"strconv"
)

// Row is a sample as a filter sees it: column i is metric Metrics[i].
type Row struct {
	Sample *Sample
	buf    []byte
}

// Text is the metric as text; empty where it is not known. It is good until the next call.
func (r *Row) Text(column int) []byte {
	r.buf = AppendText(r.buf[:0], Metrics[column].Value(r.Sample))
	return r.buf
}

// Number is the metric as a number: 0 where it is not known or is a word, and 1 for true.
func (r *Row) Number(column int) uint64 { return AsNumber(Metrics[column].Value(r.Sample)) }

// Known reports whether the metric is known: comparisons of one that is not are false.
func (r *Row) Known(column int) bool { return Metrics[column].Value(r.Sample) != nil }

// AppendText appends a value as text; nothing for nil.
func AppendText(dst []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return dst
	case uint64:
		return strconv.AppendUint(dst, v, 10)
	case string:
		return append(dst, v...)
	case bool:
		return strconv.AppendBool(dst, v)
	case encoding.TextAppender:
		out, err := v.AppendText(dst)
		if err != nil {
			return append(dst, err.Error()...)
		}
		return out
	default:
		return fmt.Append(dst, v)
	}
}

// AsNumber is a value as a number to compare: 0 for what is none, and 1 for true.
func AsNumber(value any) uint64 {
	switch v := value.(type) {
	case uint64:
		return v
	case bool:
		if v {
			return 1
		}
	}
	return 0
}
