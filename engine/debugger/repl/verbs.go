package repl

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/debugger"
)

// verb is one command of the language.
type verb struct {
	names []string // the first is its name, the others are short for it
	args  string   // what follows it
	short string   // what it does, for the list
	long  string   // more, for help of it alone; may be empty
	back  bool     // rev may stand before it
	live  bool     // it needs no open task of a live run
	takes completion
	run   func(r *REPL, arg string, d debugger.Direction) error
}

// completion says what the argument of a verb can be completed with.
type completion uint8

const (
	nothing completion = iota
	expressions
	commands
)

// table holds the verbs in the order of the list that help prints.
func table() []verb {
	return slices.Concat(moveVerbs(), breakVerbs(), lookVerbs(), []verb{
		{names: []string{"help", "h"}, args: "[COMMAND]", live: true, short: "list the commands, or explain one", takes: commands, run: (*REPL).help},
		{names: []string{"quit", "q", "exit"}, live: true, short: "leave the debugger", run: func(*REPL, string, debugger.Direction) error { return ErrQuit }},
	})
}

// forward adapts a verb that has no direction.
func forward(f func(*REPL, string) error) func(*REPL, string, debugger.Direction) error {
	return func(r *REPL, arg string, _ debugger.Direction) error { return f(r, arg) }
}

// verb finds a verb by any of its names.
func (r *REPL) verb(name string) (verb, bool) {
	for _, v := range table() {
		if slices.Contains(v.names, name) {
			return v, true
		}
	}
	return verb{}, false
}

// names lists the full names of all verbs.
func names() []string {
	var list []string
	for _, v := range table() {
		list = append(list, v.names[0])
	}
	return list
}

// foreign maps verbs of delve and gdb to those that do the same here.
var foreign = map[string]string{
	"where": "stack", "backtrace": "stack", "across": "lanes", "vars": "locals", "goroutines": "groups", "threads": "lanes",
	"rn": "rev next", "rc": "rev continue", "rs": "rev step", "rsi": "rev stepi", "finish": "stepout", "delete": "clear", "examinemem": "x",
}

// foreignInfo maps what follows gdb's info to verbs.
var foreignInfo = map[string]string{
	"breakpoints": "breakpoints", "break": "breakpoints", "b": "breakpoints", "locals": "locals", "args": "locals", "variables": "locals all",
	"threads": "lanes", "stack": "stack", "frame": "stack", "display": "display", "source": "list", "line": "list",
}

// same is our verb for one of delve and gdb with its argument.
func same(name, arg string) (string, bool) {
	if name != "info" {
		ours, ok := foreign[name]
		return ours, ok
	}
	what, _, _ := strings.Cut(arg, " ")
	ours, ok := foreignInfo[what]
	return ours, ok
}

// unknown refuses a verb that does not exist, with its argument.
func (r *REPL) unknown(name, arg string) error {
	fix := "type help for the list"
	if same, ok := same(name, arg); ok {
		return usage(fmt.Sprintf("unknown command %q", name), fmt.Sprintf("did you mean %q? Otherwise %s", same, fix))
	}
	if r.Suggest != nil {
		fix = r.Suggest(name, append(names(), "rev"), fix)
	}
	return usage(fmt.Sprintf("unknown command %q", name), fix)
}

// help prints the list of verbs, or what one of them does.
func (r *REPL) help(arg string, _ debugger.Direction) error {
	arg = strings.TrimSpace(strings.TrimPrefix(arg+" ", "rev "))
	if arg == "" {
		r.print("help", overview(), nil)
		return nil
	}
	v, ok := r.verb(arg)
	if !ok {
		name, rest, _ := strings.Cut(arg, " ")
		return r.unknown(name, rest)
	}
	text := fmt.Sprintf("%s\n%s", v.usage(), upper(v.short)+".")
	if v.long != "" {
		text += "\n" + v.long
	}
	if len(v.names) > 1 {
		text += "\nShort: " + strings.Join(v.names[1:], ", ")
	}
	r.print("help", text, nil)
	return nil
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func (v verb) usage() string {
	s := strings.TrimSpace(v.names[0] + " " + v.args)
	if v.back {
		return "[rev] " + s
	}
	return s
}

// overview lists the verbs, one a line.
func overview() string {
	var b strings.Builder
	for _, v := range table() {
		usage := v.usage()
		if len(v.names) > 1 {
			usage += " (" + v.names[1] + ")"
		}
		fmt.Fprintf(&b, "%-34s %s\n", usage, v.short)
	}
	return b.String() + "\nhelp COMMAND says more. An empty line repeats the last command. Tab completes."
}
