package kernel

import "fmt"

// tick is how many ticks of the clock the worker table counts as one: a clock in the gigahertz fills a
// word in seconds.
func (c *Config) tick() int {
	if clocks[c.Clock] == "" {
		return 1
	}
	return 1024
}

// LogsPasses reports whether the kernel notes in the debug log what the activations of a pass have come to.
func (k *Kernel) LogsPasses() bool { return !k.Config.NoEvents }

// ClockName says what the ticks of the worker table are; "" where there are none.
func (k *Kernel) ClockName() string {
	if k.Config.NoEvents {
		return ""
	}
	if c := k.Config.Clock; clocks[c] != "" {
		return fmt.Sprintf("%d ticks of the device's clock (%s)", k.Config.tick(), c)
	}
	return "loop iterations"
}
