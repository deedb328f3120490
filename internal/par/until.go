package par

import "context"

// Until returns what f returns or, as soon as ctx ends, ctx's error: then f goes on alone, and what it
// returns is lost. A panic of f is the caller's.
func Until[T any](ctx context.Context, f func() (T, error)) (value T, err error) {
	type outcome struct {
		value T
		err   error
		fault any
	}
	ended := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.fault = recover()
			ended <- o
		}()
		o.value, o.err = f()
	}()
	select {
	case o := <-ended:
		if o.fault != nil {
			panic(o.fault)
		}
		return o.value, o.err
	case <-ctx.Done():
		return value, ctx.Err()
	}
}
