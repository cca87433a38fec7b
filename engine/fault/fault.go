// Package fault has the error that users meet: what failed, on what, and how to mend it.
//
// A package names the kinds of its errors as constants of type Kind, which errors.Is finds, and returns an *Error of one
// of them. Types of their own are for errors with members that callers read.
package fault

import (
	"cmp"
	"strings"
)

// Kind is a kind of errors: a constant that errors.Is finds in an *Error. Kinds are equal when their texts are, so each has
// a text of its own; a lint test compares them.
type Kind string

// Error implements error, so that a kind is a target of errors.Is, and an error where there is nothing else to say.
func (k Kind) Error() string { return string(k) }

// Error is an error of a kind. Members that are left out are left out of the text.
type Error struct {
	Kind    Kind
	Op      string // what was tried
	Subject string // on what
	Detail  string // what is wrong
	Cause   error
	Fix     string // what to do; "" where the cause says it
}

// Error renders "op subject: detail: cause. Fix: fix".
func (e *Error) Error() string { return Text(e.Parts()) }

// Parts are the text without what to do, and what to do: that of the cause where the error has none of its own.
func (e *Error) Parts() (text, fix string) {
	parts := make([]string, 0, 3)
	if on := strings.TrimSpace(e.Op + " " + e.Subject); on != "" {
		parts = append(parts, on)
	}
	if e.Detail != "" {
		parts = append(parts, e.Detail)
	}
	fix = e.Fix
	if e.Cause != nil {
		cause, otherwise := Parts(e.Cause)
		parts = append(parts, cause)
		fix = cmp.Or(fix, otherwise)
	}
	return strings.Join(parts, ": "), fix
}

// Parts splits an error into its text and what to do, so that one that wraps it says what to do once. An error that is not
// made of parts is its text.
func Parts(err error) (text, fix string) {
	if p, ok := err.(interface{ Parts() (text, fix string) }); ok {
		return p.Parts()
	}
	return err.Error(), ""
}

// Text joins what Parts gives; behind a text of several lines the fix has a line of its own.
func Text(text, fix string) string {
	switch {
	case fix == "":
		return text
	case strings.Contains(text, "\n"):
		return strings.TrimRight(text, "\n") + "\nFix: " + fix
	}
	return text + ". Fix: " + fix
}

// Is makes errors.Is find the kind.
func (e *Error) Is(target error) bool { return target == error(e.Kind) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }
