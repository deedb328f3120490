package shell

import (
	"bytes"
	"context"
	"log/slog"
	"strconv"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec/results/render"
)

// lineHandler writes a record of the log as one line that is easy on the eye, in the place of the bar: time, message, and key=value.
type lineHandler struct {
	mu    sync.Mutex
	p     *Program
	level slog.Level
}

// Enabled says whether a record of the level is written.
func (h *lineHandler) Enabled(_ context.Context, level slog.Level) bool { return level >= h.level }

// Handle writes a record.
func (h *lineHandler) Handle(_ context.Context, r slog.Record) error {
	var b bytes.Buffer
	b.WriteString(r.Time.Format("15:04:05 "))
	if r.Level != slog.LevelInfo {
		b.WriteString(strings.ToLower(r.Level.String()) + ": ")
	}
	b.WriteString(render.Safe(r.Message))
	write := func(a slog.Attr) bool {
		v := a.Value.Resolve().String()
		if a.Value.Kind() == slog.KindInt64 {
			v = Count(a.Value.Int64())
		}
		if v == "" || strings.ContainsAny(v, " \t\n\"=") || render.Safe(v) != v {
			v = strconv.Quote(v)
		}
		b.WriteString(" " + a.Key + "=" + v)
		return true
	}
	r.Attrs(write)
	b.WriteByte('\n')
	h.mu.Lock()
	defer h.mu.Unlock()
	h.p.hideBar()
	_, err := h.p.Err.Write(b.Bytes())
	return err
}

// WithAttrs returns the handler: this program gives attributes to records alone.
func (h *lineHandler) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup returns the handler: this program has no groups.
func (h *lineHandler) WithGroup(string) slog.Handler { return h }
