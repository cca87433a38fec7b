// Package broker runs a hub: a NATS server in this process, with the users of a file. Any other NATS server serves as well; Allowed
// in package fleet has the permissions that its users need.
package broker
