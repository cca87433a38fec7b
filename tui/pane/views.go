package pane

import "vyretop/tui/keymap"

// Kinds are the views, in the order of their tabs. A new one is a file with its kind, and a line here.
var Kinds = []*Kind{
	&overview,
	&workerView,
	&taskView,
	&ringView,
	&logView,
	&memoryView,
	&imageView,
	&launchView,
	&fairnessView,
	&timelineView,
	&eventView,
	&diffView,
	&sourceView,
}

// Keys is the key map of the dashboard, before users bind keys of their own.
func Keys() *keymap.Map {
	specs := make([]keymap.Spec, len(Kinds))
	for i, k := range Kinds {
		specs[i] = k.Spec
	}
	return keymap.New(specs)
}
