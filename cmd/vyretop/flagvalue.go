package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"vyretop/engine/units"
)

// mistyped is what the command library says about a flag, with what its value should have been in place of which
// function of Go's library did not understand it.
func mistyped(err error) string {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err.Error()
	}
	f := bad.GetFlag()
	if want := valueOf(f.Value.Type()); want != "" {
		return fmt.Sprintf("invalid argument %q for \"--%s\" flag: it is not %s", bad.GetValue(), f.Name, want)
	}
	return err.Error()
}

// valueOf describes the values of a flag's type; it is empty for one whose own errors say it better.
func valueOf(kind string) string {
	if width, unsigned := strings.CutPrefix(kind, "uint"); unsigned {
		bits, err := strconv.Atoi(width)
		if err != nil { // plain uint
			bits = 64
		}
		return fmt.Sprintf("a whole number from 0 to %d", uint64(math.MaxUint64)>>(64-bits))
	}
	return map[string]string{"int": "a whole number", "duration": "a duration such as 10s or 250ms", "bool": "true or false",
		"position": "a time since launch such as 1.5s or 00:01.5"}[kind]
}

// position is the value of a flag that names a time of a recording, in every form in which the dashboard takes it.
type position time.Duration

func (p *position) String() string { return time.Duration(*p).String() }

// Type is that of a duration to the library's documents.
func (p *position) Type() string { return "position" }

func (p *position) Set(text string) error {
	at, ok := units.ParsePosition(text)
	if !ok {
		return errPosition
	}
	*p = position(at)
	return nil
}

var errPosition = errors.New("not a time since launch")

// positionVar defines such a flag.
func positionVar(s *pflag.FlagSet, to *time.Duration, name, help string) {
	s.Var((*position)(to), name, help)
}
