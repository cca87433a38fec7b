package main

import (
	"runtime/debug"
	"testing"
)

// Without the linker's word the version is that of the commit, or of the module that was installed.
func TestVersionOfABuild(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "7d44f64a0c1d2e3f"}
	for _, tc := range []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"commit", &debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-20260101-7d44f64a0c1d"}, Settings: []debug.BuildSetting{revision}}, "7d44f64"},
		{"changed", &debug.BuildInfo{Settings: []debug.BuildSetting{revision, {Key: "vcs.modified", Value: "true"}}}, "7d44f64-dirty"},
		{"unchanged", &debug.BuildInfo{Settings: []debug.BuildSetting{revision, {Key: "vcs.modified", Value: "false"}}}, "7d44f64"},
		{"installed", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3"},
		{"neither", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, ""},
		{"nothing", nil, ""},
	} {
		if got := versionOf(tc.info, tc.info != nil); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}
