package conformance

import "regexp"

// unsettled lists the operations that are not yet the same on every backend, by the names that
// Features gives them. Cases that use one are left out and counted; the random programs avoid them.
// A row goes away when its operations are made exact.
var unsettled = []struct {
	operations *regexp.Regexp
	reason     string
}{}

// Unsettled reports whether an operation is left out, and why.
func Unsettled(feature string) (reason string, off bool) {
	for _, u := range unsettled {
		if u.operations.MatchString(feature) {
			return u.reason, true
		}
	}
	return "", false
}

// unsettledIn finds the first operation of a program that is left out.
func unsettledIn(features []string) (feature, reason string) {
	for _, f := range features {
		if reason, off := Unsettled(f); off {
			return f, reason
		}
	}
	return "", ""
}
