package engine

import "context"

type backgroundKey struct{}

// InBackground marks a context: what is done under it, such as compiling, must take no processor from anything else.
func InBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, true)
}

// Background reports whether a context is marked so.
func Background(ctx context.Context) bool { return ctx.Value(backgroundKey{}) != nil }
