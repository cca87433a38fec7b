package command

import (
	"bufio"
	"io"
	"strings"

	"vyretop/engine/fault"
)

// Line is a command of a script.
type Line struct {
	Number int // from 1
	Text   string
}

// maxLine bounds a line of a script, in bytes.
const maxLine = 4096

// ReadScript reads the commands of a script without parsing them. Errors are ErrLine and those of r.
func ReadScript(name string, r io.Reader) (lines []Line, err error) {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	n := 0
	for s.Scan() {
		n++
		if text := uncommented(s.Text()); text != "" {
			lines = append(lines, Line{n, text})
		}
	}
	if err := s.Err(); err == bufio.ErrTooLong {
		return nil, InLine(name, n+1, &fault.Error{Kind: ErrCommand, Subject: "the command", Detail: "it is too long", Fix: "name a file of commands, one in a line"})
	} else if err != nil {
		return nil, err
	}
	return lines, nil
}

// uncommented is a line without its comment and the space around it.
func uncommented(line string) string {
	words := strings.Fields(line)
	for i, w := range words {
		if strings.HasPrefix(w, "#") {
			words = words[:i]
			break
		}
	}
	return strings.TrimPrefix(strings.Join(words, " "), ":")
}

// ParseScript reads a script of orders. The errors are ErrLine, whose cause is one of Parse, and those
// of r.
func ParseScript(name string, r io.Reader) ([]Order, error) {
	lines, err := ReadScript(name, r)
	if err != nil {
		return nil, err
	}
	orders := make([]Order, len(lines))
	for i, l := range lines {
		if orders[i], err = Parse(l.Text); err != nil {
			return nil, InLine(name, l.Number, err)
		}
	}
	return orders, nil
}
