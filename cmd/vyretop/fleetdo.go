package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/megakernel/command"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/targets"
)

// errSome is the kind of the error about runs that did not carry out a command.
const errSome fault.Kind = "not carried out by all runs"

func (f *fleetFlags) commander() *fleet.Commander {
	return &fleet.Commander{Address: f.hub.address("vyretop fleet"), Control: wish(f.readOnly, f.control, remote.ControlAuto)}
}

// doAll carries out --do on all runs that pass the filter, once the user has said yes.
func (f *fleetFlags) doAll(ctx context.Context, a *app, w *fleet.Watcher, q targets.Query) error {
	o, err := command.Parse(f.order)
	if err != nil {
		return err
	}
	if err := f.settle(ctx); err != nil {
		return err
	}
	list := targets.Reachable(q.Choose(w.Targets(), time.Now()))
	if len(list) == 0 {
		return &fault.Error{Kind: targets.ErrName, Detail: "no live run passes the filter", Fix: "see vyretop fleet"}
	}
	if !f.yes {
		if err := confirm(a, fmt.Sprintf("%s on %s? [y/N] ", o.Text, units.Plural(len(list), "run"))); err != nil {
			return err
		}
	}
	failed := 0
	f.commander().Each(ctx, list, o, func(r targets.Answer) {
		if r.Err != nil {
			failed++
		}
		err = errors.Join(err, f.printAnswer(a, r))
	})
	if failed > 0 {
		return errors.Join(err, &fault.Error{Kind: errSome, Subject: o.Text, Detail: fmt.Sprintf("%d of %s did not carry it out", failed, units.Plural(len(list), "run")), Fix: "see the lines above"})
	}
	return err
}

func (f *fleetFlags) printAnswer(a *app, r targets.Answer) error {
	if f.json {
		return json.NewEncoder(a.stdout).Encode(r)
	}
	_, err := fmt.Fprintln(a.stdout, r)
	return err
}

// confirm asks a question on the terminal; without one, or with another answer than yes, it is an error.
func confirm(a *app, question string) error {
	if _, ok := terminal(a.stdin); !ok {
		return usage("this needs a confirmation, and there is no terminal", "add --yes")
	}
	fmt.Fprint(a.stderr, question)
	line, err := bufio.NewReader(a.stdin).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); err != nil || answer != "y" && answer != "yes" {
		return usage("not confirmed; nothing was done", "answer y, or add --yes")
	}
	return nil
}
