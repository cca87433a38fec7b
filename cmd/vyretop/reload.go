package main

import (
	"reflect"
	"strconv"

	"vyretop/megakernel/alert"
	"vyretop/tui"
	"vyretop/tui/config"
)

// reload reads the configuration again for a dashboard, and says what is other than it was. Errors leave all as it
// was; they are those of a configuration when the program starts.
func (a *app) reload() (now tui.Configured, err error) {
	was := a.config
	c, err := config.Load(config.Path(a.env))
	if err != nil {
		return now, err
	}
	now.Path, now.Keys = c.Path, c.Keys
	value := func(c *config.Config, key string) string { return c.Value(key, a.flags, a.env) }
	if name := value(c, "theme"); name != value(was, "theme") {
		if _, err = config.Looks(config.ThemeDir(a.env), name); err != nil {
			return now, err
		}
		now.Theme = name
	}
	if fps := value(c, "fps"); fps != value(was, "fps") {
		now.FPS, _ = strconv.Atoi(fps) // what is not a number is not in the range
		if err = checkFPS(now.FPS); err != nil {
			return now, err
		}
	}
	if !reflect.DeepEqual(c.Alerts, was.Alerts) {
		if now.Alerts, err = alert.New(c.Alerts); err != nil {
			return now, err
		}
	}
	a.config = c
	return now, nil
}
