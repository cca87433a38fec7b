// Package config owns the configuration of a user: where its files are, what they may say, and how they
// become the values of flags. A flag on the command line counts most, then an environment variable, then
// the file, then the default.
//
// The file is TOML: the settings of type Settings, keys of actions, and alerts. Default prints one with
// every setting, and Schema says the same for editors. Folder themes beside it holds themes of the user.
package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/megakernel/alert"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// Settings are the settings of a configuration, nil where the file does not say. Each stands for the flag
// of the same name, with dashes, and has an environment variable: VYRETOP_ and the name in capitals.
type Settings struct {
	Theme        *string `toml:"theme" help:"theme of the dashboard: a built-in one, or a file in the folder themes"`
	Color        *string `toml:"color" enum:"auto,always,never" help:"colors of the dashboard"`
	ASCII        *bool   `toml:"ascii" help:"draw with ASCII characters only"`
	FPS          *int    `toml:"fps" min:"1" max:"60" help:"maximum frame rate of the dashboard"`
	NoMouse      *bool   `toml:"no_mouse" help:"leave the mouse to the terminal"`
	NoPixels     *bool   `toml:"no_pixels" help:"draw pictures as half blocks only, not by kitty's graphics protocol or as sixels"`
	ReadOnly     *bool   `toml:"readonly" help:"disable the dashboard's actions"`
	Linear       *bool   `toml:"linear" help:"print changes line by line instead of a dashboard"`
	AllowControl *bool   `toml:"allow_control" help:"let every attached dashboard steer a run"`
	Log          *string `toml:"log" help:"what the debug log of a run takes: all, off, kinds, every=N, op=N"`
	Backend      *string `toml:"backend" enum:"auto,gl,reference" help:"what executes kernels"`
	Device       *int    `toml:"device" min:"-1" help:"index of the device as doctor lists them; -1: the best one"`
	Hub          *string `toml:"hub" help:"hub that runs are announced at, and that fleet shows: nats://HOST:PORT"`
	HubKey       *string `toml:"hub_key" help:"file with the key of the user at the hub"`
	HubCA        *string `toml:"hub_ca" help:"file with the certificates that sign the hub's"`
}

// defaults are the values of the settings without a configuration.
var defaults = map[string]any{
	"theme": theme.DefaultName, "color": "auto", "ascii": false, "fps": 15, "no_mouse": false, "no_pixels": false, "readonly": false, "linear": false,
	"allow_control": false, "log": "all", "backend": "auto", "device": -1, "hub": "", "hub_key": "", "hub_ca": "",
}

// Config is what a user has configured.
type Config struct {
	Path   string // of the file
	Found  bool   // there is one
	Set    Settings
	Keys   *keymap.Map // of the dashboard
	Alerts []alert.Rule
}

// file is the form of the file.
type file struct {
	Settings
	Keys   map[string][]string `toml:"keys"`
	Alerts []alert.Rule        `toml:"alert"`
}

// ErrConfig is matched by errors about a configuration.
const ErrConfig fault.Kind = "configuration cannot be used"

const fixFile = "correct it; vyretop --default-config prints a whole one"

// maxBytes bounds a configuration file, and a theme.
const maxBytes = 1 << 20

// Load reads a configuration. Without the file everything is as by default, unless it must be there.
// Errors are ErrConfig; keys and alerts are checked too.
func Load(path string, must bool) (*Config, error) {
	c := &Config{Path: path, Keys: pane.Keys(), Alerts: alert.Default()}
	text, err := plainfile.Read(path, maxBytes)
	if errors.Is(err, fs.ErrNotExist) && !must || path == "" || path == os.DevNull {
		return c, nil
	}
	if err != nil {
		return nil, &fault.Error{Kind: ErrConfig, Subject: path, Detail: "it cannot be read", Cause: errors.Unwrap(err), Fix: plainfile.Fix(err)}
	}
	c.Found = true
	return c, c.parse(text)
}

func (c *Config) parse(text []byte) error {
	var f file
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return &fault.Error{Kind: ErrConfig, Subject: c.Path, Detail: describe(err), Fix: fixFile}
	}
	c.Set = f.Settings
	if f.Alerts != nil {
		c.Alerts = f.Alerts
	}
	if _, err := alert.New(c.Alerts); err != nil {
		return &fault.Error{Kind: ErrConfig, Subject: c.Path, Cause: err}
	}
	keys, err := c.Keys.Rebind(f.Keys)
	if err != nil {
		return &fault.Error{Kind: ErrConfig, Subject: c.Path, Cause: err}
	}
	c.Keys = keys
	return nil
}

// describe says what a TOML library found, with the line.
func describe(err error) string {
	var strict *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &strict):
		row, _ := strict.Errors[0].Position()
		return fmt.Sprintf("line %d: unknown setting %s", row, strings.Join(strict.Errors[0].Key(), "."))
	case errors.As(err, &wrong):
		row, column := wrong.Position()
		return fmt.Sprintf("line %d, column %d: %s", row, column, strings.TrimPrefix(wrong.Error(), "toml: "))
	}
	return strings.TrimPrefix(err.Error(), "toml: ")
}

// Apply gives flags that were not given on the command line the values of the environment, whose entries
// are "NAME=value", or of the file. Errors are ErrConfig.
func (c *Config) Apply(flags *pflag.FlagSet, environ []string) error {
	for _, s := range settings(&c.Set) {
		flag := flags.Lookup(s.flag())
		if flag == nil || flag.Changed {
			continue
		}
		value, where := s.given(environ)
		if where == "" {
			where = c.Path
		}
		if value == "" {
			continue
		}
		if err := flags.Set(flag.Name, value); err != nil {
			return &fault.Error{Kind: ErrConfig, Subject: where, Detail: fmt.Sprintf("%s cannot be %q", s.key, value), Fix: "see what vyretop --default-config says about " + s.key}
		}
		flag.Changed = false // it is a default, as far as the command is concerned
	}
	return nil
}

// Value is what a setting is with this configuration, for flags to which one was applied already.
func (c *Config) Value(key string, flags *pflag.FlagSet, environ []string) string {
	for _, s := range settings(&c.Set) {
		if flag := flags.Lookup(s.flag()); flag != nil && s.key == key {
			if flag.Changed {
				return flag.Value.String()
			}
			value, _ := s.given(environ)
			return cmp.Or(value, flag.DefValue)
		}
	}
	return ""
}

// setting is one field of Settings.
type setting struct {
	key   string
	field reflect.StructField
	value reflect.Value // a pointer
}

// settings lists the fields of s.
func settings(s *Settings) []setting {
	v := reflect.ValueOf(s).Elem()
	out := make([]setting, v.NumField())
	for i := range out {
		field := v.Type().Field(i)
		out[i] = setting{key: field.Tag.Get("toml"), field: field, value: v.Field(i)}
	}
	return out
}

func (s *setting) flag() string     { return strings.ReplaceAll(s.key, "_", "-") }
func (s *setting) variable() string { return "VYRETOP_" + strings.ToUpper(s.key) }

// given is the value that the environment has, with the name of its variable, or else the file.
func (s *setting) given(environ []string) (value, variable string) {
	if value := plainfile.Lookup(environ, s.variable()); value != "" {
		return value, s.variable()
	}
	return s.text(), ""
}

// text is the value as a flag takes it; "" where the file does not say.
func (s *setting) text() string {
	if s.value.IsNil() {
		return ""
	}
	return fmt.Sprint(s.value.Elem().Interface())
}

// Dir is the folder of the configuration: vyretop in XDG_CONFIG_HOME, or in .config of the home.
func Dir(environ []string) string { return plainfile.ConfigDir(environ) }

// PathVariable names another file for the configuration.
const PathVariable = "VYRETOP_CONFIG"

// Path is the file of the configuration, and whether it was asked for by name, so that it must be there.
func Path(environ []string) (path string, must bool) {
	if path := plainfile.Lookup(environ, PathVariable); path != "" {
		return path, true
	}
	if dir := Dir(environ); dir != "" {
		return filepath.Join(dir, "config.toml"), false
	}
	return "", false
}
