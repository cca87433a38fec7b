package config

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"vyretop/engine/plainfile"
	"vyretop/megakernel/alert"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// write makes a file and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// flags are those of a command that has some of the settings.
func flags() *pflag.FlagSet {
	s := pflag.NewFlagSet("test", pflag.ContinueOnError)
	s.String("theme", "default", "")
	s.String("color", "auto", "")
	s.Int("fps", 15, "")
	s.Bool("no-mouse", false, "")
	return s
}

func TestFlagsOverEnvironmentOverFile(t *testing.T) {
	c, err := Load(write(t, t.TempDir(), "config.toml", "theme = \"light\"\ncolor = \"never\"\nfps = 5\nno_mouse = true\nlinear = true\n"), true)
	if err != nil {
		t.Fatal(err)
	}
	s := flags()
	if err := s.Parse([]string{"--theme=mono"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(s, []string{"VYRETOP_THEME=cb-safe", "VYRETOP_COLOR=always", "VYRETOP_COLOR="}); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	s.VisitAll(func(f *pflag.Flag) { got[f.Name] = f.Value.String() })
	want := map[string]string{"theme": "mono", "color": "never", "fps": "5", "no-mouse": "true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if s.Changed("fps") {
		t.Error("a configured value counts as given on the command line")
	}
	if err := c.Apply(flags(), []string{"VYRETOP_FPS=many"}); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "VYRETOP_FPS: ") {
		t.Errorf("a bad variable: %v", err)
	}
}

func TestNoFileIsTheDefault(t *testing.T) {
	for _, path := range []string{"", filepath.Join(t.TempDir(), "none.toml")} {
		c, err := Load(path, false)
		if err != nil || c.Found || !cmp.Equal(c.Keys, pane.Keys()) || !cmp.Equal(c.Alerts, alert.Default()) {
			t.Errorf("%q: %v", path, err)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.toml"), true); !errors.Is(err, ErrConfig) {
		t.Errorf("a file that must be there: %v", err)
	}
}

// TestTheDefaultFileSaysWhatIsSo: uncommented, it changes nothing.
func TestTheDefaultFileSaysWhatIsSo(t *testing.T) {
	text := regexp.MustCompile(`(?m)^#([a-z\[])`).ReplaceAllString(Default(), "$1")
	c, err := Load(write(t, t.TempDir(), "config.toml", text), true)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if diff := cmp.Diff(pane.Keys(), c.Keys); diff != "" {
		t.Errorf("keys (-default +file):\n%s", diff)
	}
	if len(c.Alerts) != len(alert.Default()) {
		t.Errorf("%d alerts", len(c.Alerts))
	}
	for _, s := range settings(&c.Set) {
		if s.value.IsNil() || !cmp.Equal(defaults[s.key], s.value.Elem().Interface()) {
			t.Errorf("%s is %s, by default %v", s.key, s.text(), defaults[s.key])
		}
	}
	if c, err := Load(write(t, t.TempDir(), "config.toml", Default()), true); err != nil || !cmp.Equal(c.Set, Settings{}) {
		t.Errorf("as it is: %v", err)
	}
}

func TestFilesThatCannotBeUsed(t *testing.T) {
	for text, want := range map[string]string{
		"fps = 1\nspeed = 3\n":                                            "line 2: unknown setting speed",
		"[[alert]]\nname = \"a\"\nwhenn = \"x\"\n":                        "line 3: unknown setting alert.whenn",
		"fps = \"many\"\n":                                                "line 1, column ",
		"fps = \n":                                                        "line 1, column ",
		"[keys]\npause = [\"c\"]\n":                                       `"c" is both pause and continue`,
		"[keys]\nfly = [\"c\"]\n":                                         "unknown action",
		"[[alert]]\nname = \"a\"\nwhen = \"queue<\"\n":                    `alert "a": `,
		"[[alert]]\nname = \"a\"\nwhen = \"fly > 2\"\n":                   `alert "a": `,
		"theme = [\"light\"]\n":                                           ": cannot decode TOML array",
		"[[alert]]\nname = \"a\"\nmetric = \"running\"":                   `alert "a": its bounds`,
		"[[alert]]\nname = \"a\"\nwhen = \"ready>0\"\nhysteresis = 300\n": "is not a percentage",
		"\x00":                           "line 1, column ",
		"[keys]\nquit = []\n":            "no key would leave",
		"[keys]\npause = \"p\"\n":        "line 2, column ",
		"theme = \"a\"\ntheme = \"b\"\n": "",
		"[keys]\npause = [\"ctrl+\"]\ncontinue = [\"\"]": "is not a key",
	} {
		_, err := Load(write(t, t.TempDir(), "config.toml", text), false)
		if !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		environ []string
		path    string
		must    bool
	}{
		{[]string{"XDG_CONFIG_HOME=/c", "HOME=/h"}, "/c/vyretop/config.toml", false},
		{[]string{"XDG_CONFIG_HOME=c", "HOME=/h"}, "/h/.config/vyretop/config.toml", false},
		{[]string{"VYRETOP_CONFIG=/x.toml", "HOME=/h"}, "/x.toml", true},
		{nil, "", false},
	} {
		if path, must := Path(tt.environ); path != tt.path || must != tt.must {
			t.Errorf("%v: %s, %v", tt.environ, path, must)
		}
	}
	if got := plainfile.StateDir([]string{"HOME=/h"}); got != "/h/.local/state/vyretop" {
		t.Errorf("state is in %s", got)
	}
	if got := ThemeDir(nil); got != "" {
		t.Errorf("themes are in %q", got)
	}
}

func TestThemesOfAUser(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "mine.toml", "base = \"light\"\n[roles]\nrunning = \"bold 12\"\n")
	write(t, dir, "bad.toml", "base = \"light\"\nrole = 3\n")
	write(t, dir, "loud.toml", "[roles]\nrunning = \"loud\"\n")
	for name, want := range map[string]error{"mine": nil, "cb-safe": nil, "none": theme.ErrLooks, "bad": ErrConfig, "loud": theme.ErrLooks, "../mine": theme.ErrLooks} {
		if _, err := Looks(dir, name); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	if diff := cmp.Diff([]string{"bad", "cb-safe", "default", "high-contrast", "light", "loud", "mine", "mono"}, ThemeNames(dir)); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// TestSchemaKnowsEverySetting: the schema, the default file and the settings have one origin.
func TestSchemaKnowsEverySetting(t *testing.T) {
	text, err := json.Marshal(Schema())
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties map[string]struct {
			Type        string
			Description string
		}
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	for _, s := range settings(&Settings{}) {
		p := schema.Properties[s.key]
		if _, ok := defaults[s.key]; !ok || p.Type == "" || p.Description == "" {
			t.Errorf("%s lacks a default, a type or a description: %+v", s.key, p)
		}
	}
	if len(schema.Properties) != len(defaults)+2 {
		t.Errorf("%d properties", len(schema.Properties))
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(Default())
	f.Add("[[alert]]\nname = \"a\"\nwhen = \"ready>0 for 2s\"\n[keys]\npause = [\"x\"]\n")
	f.Fuzz(func(t *testing.T, text string) {
		c := &Config{Path: "f", Keys: pane.Keys()}
		if err := c.parse([]byte(text)); err != nil && !errors.Is(err, ErrConfig) {
			t.Errorf("untyped error %v", err)
		}
	})
}
