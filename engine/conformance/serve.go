package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"vyretop/engine/fault"
)

// Serve is the worker's side: it answers requests until its input ends.
func Serve(ctx context.Context, r *Runner, in io.Reader, out io.Writer) error {
	requests, replies := json.NewDecoder(bufio.NewReader(in)), json.NewEncoder(out)
	if err := replies.Encode(reply{}); err != nil {
		return err
	}
	for {
		var q request
		err := requests.Decode(&q)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil || q.Case == nil {
			return fmt.Errorf("read a request: %w. Fix: let vyretop start its workers itself", errors.Join(err, errEmpty))
		}
		if err := replies.Encode(answer(ctx, r, q.Case)); err != nil {
			return err
		}
	}
}

const errEmpty fault.Kind = "it holds no case"

func answer(ctx context.Context, r *Runner, c *Case) reply {
	d, err := r.Run(ctx, c)
	if err != nil {
		return reply{Error: err.Error(), Case: errors.Is(err, ErrCase)}
	}
	return reply{Difference: d}
}
