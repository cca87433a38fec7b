package fleet

import "vyretop/engine/fault"

// Sentinels for errors.Is.
const (
	// ErrHub: the hub cannot be reached, or refuses the user.
	ErrHub fault.Kind = "hub not reached"
	// ErrAddress: what should name a hub does not.
	ErrAddress fault.Kind = "invalid hub"
	// ErrVersion: a target of the hub runs another version.
	ErrVersion fault.Kind = "another version at the hub"
	// ErrBroken: a connection over the hub ended, or lost a part of what it carried.
	ErrBroken fault.Kind = "connection over the hub broken"
)
