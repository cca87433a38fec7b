package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"vyretop/engine/units"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/run"
	"vyretop/megakernel/safe"
)

// newHubPut makes the command that keeps recordings at a hub.
func newHubPut(a *app) *cobra.Command {
	f := &hubFlags{}
	c := &cobra.Command{
		Use: "put FILE…", Short: "Upload recordings to a hub",
		Long:    "put uploads recordings to a hub started with --store, each under the name of its file. Commands read them as nats://HOST:PORT/recordings/NAME.",
		Example: "vyretop hub put run.mcap --hub nats://node1:4222\nvyretop replay nats://node1:4222/recordings/run.mcap",
		Args:    arguments(1, 1000, "FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			for _, file := range args { // no other file gets to where others read it
				if err := fleet.CheckRecording(file); err != nil {
					return err
				}
			}
			h, err := f.connect("vyretop hub put")
			if err != nil {
				return err
			}
			defer h.Close()
			for _, file := range args {
				name, err := h.PutRecording(c.Context(), file, hostName())
				if err != nil {
					return err
				}
				fmt.Fprintf(a.stdout, "%s/%s%s\n", f.shown(), fleet.RecordingPrefix, name)
			}
			return nil
		},
	}
	f.register(c.Flags(), "hub that keeps them")
	return c
}

// recordingsSchema names the document of hub recordings.
const recordingsSchema = "vyretop.recordings/1"

// newHubRecordings makes the command that lists the recordings of a hub.
func newHubRecordings(a *app) *cobra.Command {
	f, asJSON := &hubFlags{}, false
	c := &cobra.Command{
		Use: "recordings", Short: "List the recordings that a hub keeps", Args: arguments(0, 0, ""),
		Long: "recordings lists the recordings at a hub: those uploaded with hub put or run --record, and the last seconds of failed runs.",
		RunE: func(c *cobra.Command, _ []string) error {
			h, err := f.connect("vyretop hub recordings")
			if err != nil {
				return err
			}
			defer h.Close()
			list, err := h.Recordings(c.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(a.stdout, struct {
					Schema     string            `json:"schema"`
					Recordings []fleet.Recording `json:"recordings"`
				}{recordingsSchema, append([]fleet.Recording{}, list...)})
			}
			t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			for _, k := range list {
				open := ""
				switch {
				case k.Growing:
					open = "being written"
				case k.Open:
					open = "without its end"
				}
				fmt.Fprintf(t, "%s/%s%s\t%sB\t%s\t%s\t%s\n", f.shown(), fleet.RecordingPrefix, safe.Text(k.Name), units.Count(k.Bytes), k.Modified.Local().Format(time.DateTime), safe.Text(k.From), open)
			}
			return t.Flush()
		},
	}
	f.register(c.Flags(), "hub that keeps them")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with a schema member")
	return c
}

// fetched is the file of a recording that a name means: of one at a hub a copy, which is removed when the command ends; any other name is
// returned as it is.
func fetched(ctx context.Context, a *app, name string) (string, error) {
	url, recording, ok := fleet.RecordingNamed(name)
	if !ok {
		return name, nil
	}
	f, err := configuredHub(a)
	if err != nil {
		return "", err
	}
	f.url = url
	h, err := f.connect("vyretop " + strings.Join(a.args[:min(1, len(a.args))], ""))
	if err != nil {
		return "", err
	}
	defer h.Close()
	defer a.note("fetching " + recording)()
	a.cut.await()
	c, err := h.FetchRecording(ctx, recording)
	if err != nil {
		return "", err
	}
	a.atEnd = append(a.atEnd, c.Remove)
	if a.fetched == nil {
		a.fetched = map[string]string{}
	}
	a.fetched[c.File] = f.shown() + "/" + fleet.RecordingPrefix + recording
	return c.File, nil
}

// uploadTime bounds how long the end of a run may be on its way to the hub.
const uploadTime = 10 * time.Second

// keepAtHub keeps the end of a run that ended badly at the hub, too, if it keeps recordings. One that cannot be reached gets it from the
// next run that reaches it.
func (f *hubFlags) keepAtHub(a *app, file string) {
	if f.url == "" || file == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), uploadTime)
	defer cancel()
	h, err := fleet.Connect(f.address("vyretop run"), false)
	if err != nil {
		if fleet.Postpone(file, f.shown()) == nil { // the run has told why the hub is not reached
			fmt.Fprintln(a.stderr, "vyretop: the hub gets it from the next run that reaches it")
		}
		return
	}
	defer h.Close()
	if name, err := h.PutRecording(ctx, file, hostName()); err == nil {
		fmt.Fprintf(a.stderr, "vyretop: and at the hub: vyretop postmortem %s/%s%s\n", f.shown(), fleet.RecordingPrefix, name)
	}
}

// survives has the end of a run that is killed sent to the hub: by the process that waits for it or accompanies it, or, where that cannot
// reach the hub, by the next run that can.
func (f *hubFlags) survives(a *app, file string) {
	if f.url == "" || fleet.Postpone(file, f.shown()) != nil {
		return // a precaution, as the file is
	}
	if !run.Supervised(a.env) {
		_ = run.StartCompanion(a.args, a.env, file) // without it the next run does
	}
}

// accompany waits for the end of a run, and sends what it has left if it was killed.
func (f *hubFlags) accompany(ctx context.Context, a *app, file string) {
	if run.AwaitEnd(ctx, file) == nil {
		f.sendPostponed(ctx, a, func(string, string) {})
	}
}

// sendKilled sends the end of a run that was killed while this process waited for it.
func (f *hubFlags) sendKilled(a *app) {
	if f.url == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), uploadTime)
	defer cancel()
	f.sendPostponed(ctx, a, func(_, text string) { fmt.Fprintln(a.stderr, "vyretop: "+text) })
}

// sendPostponed sends the ends of earlier runs that the hub did not get, and events say so. It returns when that is over, or ctx ends.
func (f *hubFlags) sendPostponed(ctx context.Context, a *app, event func(kind, text string)) {
	dir := run.PastDir(a.env)
	run.Rescue(run.SurvivorDir(a.env), dir)
	if dir == "" || len(fleet.Postponed(dir)) == 0 {
		return
	}
	h, err := fleet.Connect(f.address("vyretop run"), false)
	if err != nil {
		return // it is tried again by the next run
	}
	defer h.Close()
	for _, name := range h.SendPostponed(ctx, dir, hostName()) {
		event("hub", fmt.Sprintf("the end of an earlier run is at the hub: %s/%s%s", f.shown(), fleet.RecordingPrefix, name))
	}
}
