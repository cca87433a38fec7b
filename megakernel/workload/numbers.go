package workload

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Number is a flag whose value is a whole number, of a workload with options of type O.
type Number[O any] struct {
	Name     string // without dashes
	Default  int
	Min, Max int
	Help     string
	Set      func(*O, int)
}

// NumberFlags describes the flags.
func NumberFlags[O any](numbers []Number[O]) []Flag {
	out := make([]Flag, len(numbers))
	for i, n := range numbers {
		out[i] = Flag{Name: n.Name, Default: strconv.Itoa(n.Default), Value: "N", Help: n.Help}
	}
	return out
}

// SetNumbers sets in o what values says of numbers, and the defaults of those of which it says nothing. Errors match ErrFlag: a value
// that is out of range, or of a flag that is neither among the numbers nor among others. They name the workload or the flag.
func SetNumbers[O any](o *O, workload string, numbers []Number[O], values map[string]string, others ...string) error {
	unknown := maps.Clone(values)
	for _, n := range numbers {
		delete(unknown, n.Name)
		v := n.Default
		if text, given := values[n.Name]; given {
			var err error
			if v, err = strconv.Atoi(text); err != nil || v < n.Min || v > n.Max {
				return Failure(ErrFlag, "--"+n.Name, fmt.Sprintf("%q does not fit", text), nil, fmt.Sprintf("use %d..%d", n.Min, n.Max))
			}
		}
		n.Set(o, v)
	}
	maps.DeleteFunc(unknown, func(name, _ string) bool { return slices.Contains(others, name) })
	if len(unknown) > 0 {
		return Failure(ErrFlag, workload, "a flag is unknown", nil, "use one of the flags that --help lists")
	}
	return nil
}
