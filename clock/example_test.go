package clock_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ranktest/ranktest/clock"
)

// Two tasks sleep through an afternoon.
func ExampleVirtual_Run() {
	v := clock.NewVirtual(clock.VirtualOptions{})
	err := v.Run(context.Background(), func(ctx context.Context) {
		v.Go(ctx, "bell", func(ctx context.Context) {
			for range 2 {
				v.Sleep(ctx, time.Hour)
				fmt.Println(v.Elapsed(), "ding")
			}
		})
		v.Sleep(ctx, 90*time.Minute)
		fmt.Println(v.Elapsed(), "tea")
	})
	fmt.Println(err)
	// Output:
	// 1h0m0s ding
	// 1h30m0s tea
	// 2h0m0s ding
	// <nil>
}

// A timeout is simulated time, and exact.
func ExampleVirtual_WithTimeout() {
	v := clock.NewVirtual(clock.VirtualOptions{})
	_ = v.Run(context.Background(), func(ctx context.Context) {
		ctx, cancel := v.WithTimeout(ctx, 1500*time.Millisecond)
		defer cancel()
		err := v.Sleep(ctx, time.Hour)
		fmt.Println(v.Elapsed(), err)
	})
	// Output:
	// 1.5s context deadline exceeded
}

type lease string

func (l lease) String() string { return "a lease of " + string(l) }

// A run that cannot go on says who waits for what.
func ExampleStallError() {
	v := clock.NewVirtual(clock.VirtualOptions{})
	err := v.Run(context.Background(), func(ctx context.Context) {
		for _, name := range []string{"worker-1", "worker-2"} {
			v.Go(ctx, name, func(ctx context.Context) {
				v.NewWaiter(lease("api")).Park(ctx)
			})
		}
		v.Sleep(ctx, time.Minute)
	})
	var stall *clock.StallError
	if errors.As(err, &stall) {
		fmt.Println("at", stall.At)
		for _, task := range stall.Tasks {
			fmt.Println(task.Name, "waits for", task.WaitsFor)
		}
	}
	// Output:
	// at 1m0s
	// worker-1 waits for a lease of api
	// worker-2 waits for a lease of api
}

// A queue with one producer and one consumer, on any clock.
func ExampleClock() {
	var clk clock.Clock = clock.NewVirtual(clock.VirtualOptions{})
	var queue []int
	filled := clk.NewWaiter(nil)
	produce := func(ctx context.Context) {
		for i := range 3 {
			clk.Sleep(ctx, time.Second)
			queue = append(queue, i)
			filled.Wake()
		}
	}
	consume := func(ctx context.Context) {
		for range 3 {
			for len(queue) == 0 {
				filled.Park(ctx)
			}
			fmt.Println(clk.Elapsed(), queue[0])
			queue = queue[1:]
		}
	}
	_ = clk.(*clock.Virtual).Run(context.Background(), func(ctx context.Context) {
		clk.Go(ctx, "producer", produce)
		consume(ctx)
	})
	// Output:
	// 1s 0
	// 2s 1
	// 3s 2
}
