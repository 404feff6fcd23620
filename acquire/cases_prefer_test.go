package acquire_test

import (
	"context"
	"errors"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/ranktest/ranktest/acquire"
	"github.com/ranktest/ranktest/clock"
	"github.com/ranktest/ranktest/pool"
)

var _ = Describe("Off by one at the quota (litellm#33032)", func() {
	It("prefers a resource up to exactly its quota, and not beyond", func() {
		simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
			small, large := capacity("small", 1), capacity("large", 1)
			small.Quota = map[string]float64{"requests": 4}
			large.Quota = map[string]float64{"requests": 400}
			p := newPool(GinkgoTB(), clk, "p", pool.Options{}, small, large)
			use := func(query pool.Query, spec string, usage float64) string {
				lease, err := mustParse(spec).Acquire(ctx, acquire.Request{Pool: p, Query: query})
				Expect(err).NotTo(HaveOccurred())
				defer lease.Release()
				lease.Report(pool.Outcome{Usage: map[string]float64{"requests": usage}})
				return lease.ResourceID()
			}
			use(pool.Query{ID: "small"}, "immediate", 3) // a quarter left
			use(pool.Query{ID: "large"}, "immediate", 396)
			const spec = "quota_aware(metric=requests,reserve=0)"
			Expect(use(pool.Query{}, spec, 1)).To(Equal("small"), "1 of 4 left: brings it to exactly its quota")
			Expect(use(pool.Query{}, spec, 4)).To(Equal("large"), "nothing of small is left, 4 of 400 are")
			Expect([]string{use(pool.Query{}, spec, 0), use(pool.Query{}, spec, 0)}).To(
				ConsistOf("small", "large"), "a preference is not a limit: with no quota left anywhere they take turns")
		})
	})
})

var _ = Describe("Sticky to the dead (traefik#1299)", func() {
	DescribeTable("a target that cannot be had is replaced, and the new one is kept after the old one returns",
		func(breakIt, mendIt func(clk *clock.Virtual, p *pool.Pool)) {
			simulate(GinkgoTB(), func(ctx context.Context, clk *clock.Virtual) {
				p := newPool(GinkgoTB(), clk, "p", pool.Options{Health: pool.Health{
					DegradeAfter: 3, DeadAfter: 8, Cooldown: time.Minute, HonorRetryAfter: true,
				}}, capacity("a", 2), capacity("b", 2))
				affinity := new(acquire.Affinity)
				use := func() string {
					lease, err := mustParse("sticky").Acquire(ctx, acquire.Request{Pool: p, Affinity: affinity})
					Expect(err).NotTo(HaveOccurred())
					defer lease.Release()
					return lease.ResourceID()
				}
				Expect([]string{use(), use(), use()}).To(Equal([]string{"a", "a", "a"}))
				breakIt(clk, p)
				Expect([]string{use(), use()}).To(Equal([]string{"b", "b"}))
				mendIt(clk, p)
				Expect(p.Snapshot()).To(ContainElement(And(HaveField("ID", "a"), HaveField("State", pool.Ready))))
				Expect([]string{use(), use(), use()}).To(Equal([]string{"b", "b", "b"}))
			})
		},
		Entry("dead", func(_ *clock.Virtual, p *pool.Pool) {
			lease, err := p.TryAcquire(context.Background(), pool.Query{ID: "a"})
			Expect(err).NotTo(HaveOccurred())
			for range 8 {
				lease.Report(pool.Outcome{Err: errors.New("broken")})
			}
			lease.Release()
		}, func(_ *clock.Virtual, p *pool.Pool) { Expect(p.Publish(capacity("a", 2))).To(Succeed()) }),
		Entry("removed", func(_ *clock.Virtual, p *pool.Pool) {
			Expect(p.Revoke("a")).To(Succeed())
		}, func(_ *clock.Virtual, p *pool.Pool) { Expect(p.Publish(capacity("a", 2))).To(Succeed()) }),
		Entry("cooling down for long", func(_ *clock.Virtual, p *pool.Pool) {
			refuse(GinkgoTB(), p, "a", time.Hour)
		}, func(clk *clock.Virtual, p *pool.Pool) {
			Expect(clk.Sleep(context.Background(), time.Hour)).To(Succeed())
			lease, err := p.TryAcquire(context.Background(), pool.Query{ID: "a"}) // whoever asks sees that it is back
			Expect(err).NotTo(HaveOccurred())
			lease.Release()
		}),
	)
})
