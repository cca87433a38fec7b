package engine

import (
	"encoding/json"
	"fmt"
)

// Optional is a value that may not have been read. Unknown is not zero: a device limit that was
// never probed must not look like a limit of 0. In JSON an unknown value is absent when its field
// is tagged omitzero.
type Optional[T any] struct {
	value T
	known bool
}

// Known makes an Optional that holds v.
func Known[T any](v T) Optional[T] { return Optional[T]{value: v, known: true} }

// Get returns the value and whether it is known.
func (o Optional[T]) Get() (T, bool) { return o.value, o.known }

// Or returns the value, or fallback when it is unknown.
func (o Optional[T]) Or(fallback T) T {
	if o.known {
		return o.value
	}
	return fallback
}

// IsZero reports whether the value is unknown; encoding/json's omitzero uses it.
func (o Optional[T]) IsZero() bool { return !o.known }

// String formats the value, or "unknown".
func (o Optional[T]) String() string {
	if !o.known {
		return "unknown"
	}
	return fmt.Sprint(o.value)
}

// MarshalJSON encodes the value, or null when unknown.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if !o.known {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON decodes a value; null means unknown.
func (o *Optional[T]) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*o = Optional[T]{}
		return nil
	}
	if err := json.Unmarshal(b, &o.value); err != nil {
		return err
	}
	o.known = true
	return nil
}
