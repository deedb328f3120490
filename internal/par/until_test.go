package par

import (
	"context"
	"errors"
	"testing"
)

func TestUntil(t *testing.T) {
	if x, err := Until(t.Context(), func() (int, error) { return 7, context.DeadlineExceeded }); x != 7 || err != context.DeadlineExceeded {
		t.Errorf("%d, %v", x, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stay := make(chan int)
	defer close(stay)
	if _, err := Until(ctx, func() (int, error) { cancel(); return <-stay, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	defer func() {
		if fault := recover(); fault != "of f" {
			t.Errorf("panic %v", fault)
		}
	}()
	_, _ = Until(t.Context(), func() (int, error) { panic("of f") })
}
