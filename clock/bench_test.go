package clock

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// The hold model: a fixed number of tasks, each of which sleeps again and again
// for an exponentially distributed time. It is measured twice, as tasks on a
// Virtual and as a loop over callbacks with the same timer queue: the least
// that a simulation can cost, and code that cannot block. Read them side by
// side:
//
//	go test -run '^$' -bench Hold -count 10 ./clock

var holdSizes = []int{12, 1_000, 100_000}

// delays returns exponentially distributed durations with mean 1 ms.
func delays() []time.Duration {
	r := rand.New(rand.NewPCG(1, 2))
	d := make([]time.Duration, 1<<12)
	for i := range d {
		d[i] = 1 + time.Duration(r.ExpFloat64()*1e6)
	}
	return d
}

func BenchmarkHold(b *testing.B) {
	for _, n := range holdSizes {
		b.Run(fmt.Sprintf("tasks=%d/as=callbacks", n), func(b *testing.B) { holdCallbacks(b, n) })
		b.Run(fmt.Sprintf("tasks=%d/as=tasks", n), func(b *testing.B) { holdTasks(b, n) })
	}
}

func holdTasks(b *testing.B, n int) {
	b.ReportAllocs()
	v := NewVirtual(VirtualOptions{})
	ds := delays()
	left := b.N
	i := 0
	sleeper := func(ctx context.Context) {
		for left > 0 {
			left--
			i++
			_ = v.Sleep(ctx, ds[i&(len(ds)-1)])
		}
	}
	err := v.Run(context.Background(), func(ctx context.Context) {
		for range n {
			v.Go(ctx, "sleeper", sleeper)
		}
		_ = v.Sleep(ctx, 1) // all have begun
		b.ResetTimer()
	})
	if err != nil {
		b.Fatal(err)
	}
}

func holdCallbacks(b *testing.B, n int) {
	b.ReportAllocs()
	var h timers
	h.init()
	ds := delays()
	left := b.N
	i := 0
	var now int64
	var seq uint64
	hold := func(e *event) {
		if left > 0 {
			left--
			i++
			seq++
			e.seq = seq
			h.push(now+int64(ds[i&(len(ds)-1)]), seq, e)
		}
	}
	for range n {
		e := &event{call: &callback{}}
		e.call.f = func() { hold(e) }
		e.call.f()
	}
	b.ResetTimer()
	for h.next != never {
		e := h.pop()
		if !e.live() {
			continue
		}
		now = e.at
		e.ev.call.f()
	}
}

// An operation is one park and the wake-up that ends it.
func BenchmarkParkWake(b *testing.B) {
	b.ReportAllocs()
	v := NewVirtual(VirtualOptions{MaxSwitches: math.MaxInt})
	err := v.Run(context.Background(), func(ctx context.Context) {
		ping, pong := v.NewWaiter(nil), v.NewWaiter(nil)
		v.Go(ctx, "pong", func(ctx context.Context) {
			for pong.Park(ctx) == nil {
				ping.Wake()
			}
		})
		_ = v.Sleep(ctx, 1)
		b.ResetTimer()
		for range b.N / 2 {
			pong.Wake()
			_ = ping.Park(ctx)
		}
		b.StopTimer()
	})
	if _, ok := err.(*StallError); !ok {
		b.Fatal(err)
	}
}

func BenchmarkSleepInPlace(b *testing.B) {
	b.ReportAllocs()
	v := NewVirtual(VirtualOptions{})
	err := v.Run(context.Background(), func(ctx context.Context) {
		for b.Loop() {
			_ = v.Sleep(ctx, time.Microsecond)
		}
	})
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkWithTimeout(b *testing.B) {
	b.ReportAllocs()
	v := NewVirtual(VirtualOptions{})
	err := v.Run(context.Background(), func(ctx context.Context) {
		for b.Loop() {
			_, cancel := v.WithTimeout(ctx, time.Second)
			cancel()
		}
	})
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkAfterFuncStop(b *testing.B) {
	b.ReportAllocs()
	v := NewVirtual(VirtualOptions{})
	f := func() {}
	for b.Loop() {
		v.AfterFunc(time.Second, f).Stop()
	}
}

func BenchmarkGo(b *testing.B) {
	b.ReportAllocs()
	v := NewVirtual(VirtualOptions{MaxSwitches: math.MaxInt})
	f := func(context.Context) {}
	err := v.Run(context.Background(), func(ctx context.Context) {
		for b.Loop() {
			v.Go(ctx, "task", f)
			_ = v.Sleep(ctx, 0)
		}
	})
	if err != nil {
		b.Fatal(err)
	}
}
