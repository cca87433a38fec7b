package check

// Actor does accesses in an order of its own: a workgroup of a dispatch, or a task of a resident kernel, wherever it runs.
type Actor struct {
	Task
	number uint32 // from 0
	own    uint32 // time of what it does
	clock  clock
}

// Task identifies a task of a resident kernel.
type Task struct {
	ID      uint32 `json:"id"`
	Name    string `json:"name"` // of the ID, as commands and views write it
	Opcode  uint32 `json:"opcode"`
	Handler string `json:"handler"`
}

// tick begins a new time: what was before can be passed on.
func (c *checker) tick(a *Actor) {
	c.time++
	a.own = c.time
}

// pass is what an actor passes on to another: what it knows and what it has done.
func (c *checker) pass(a *Actor) clock {
	out := a.clock.with(a.number, a.own)
	c.tick(a)
	return out
}

// knowsAll makes an actor know everything that has happened.
func (c *checker) knowsAll(a *Actor) {
	a.clock.floor = c.everything()
}

// everything is a time that all actors have passed when they act again.
func (c *checker) everything() uint32 {
	c.time++
	c.fence = c.time
	return c.fence
}

// renew gives an actor a time behind the last one that others know everything up to.
func (c *checker) renew(a *Actor) {
	if a.own <= c.fence {
		c.tick(a)
	}
}
