package engine

import "context"

// Lifecycle is what a backend offers beyond its work: warming up, and losing and getting back its
// device. Every backend here implements it; callers ask by a type assertion.
//
// A device is lost when it was reset, unplugged, or taken from the process. Everything that runs then and
// everything that is started later ends in ErrDeviceLost, until Recover. What was on the device stays
// lost: buffers and pipelines made before are ErrPoisoned for ever, and are not to be freed.
type Lifecycle interface {
	// Prepare does what a device does only once, so that the first dispatch does not pay for it.
	Prepare(ctx context.Context) error
	// Lost is why the device is lost, nil while it is not.
	Lost() error
	// Recover takes the device again. It is an error when the device is not lost, or cannot be had.
	Recover(ctx context.Context) (Recovery, error)
	// SimulateLoss makes the device lost, to see what a program does then.
	SimulateLoss()
}

// Recovery tells what a loss has cost.
type Recovery struct {
	Buffers   int // whose contents are gone
	Pipelines int // to be compiled again
}
