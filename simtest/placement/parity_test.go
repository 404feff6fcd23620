package placement_test

import "testing"

// Every run that the reference published the metrics of: 1,665 of them, five
// policies, up to seven settings and three policy seeds on 23 traces.
// With -short, every seventh.
func TestEveryBenchmarkOfTheReference(t *testing.T) {
	var file struct {
		Configs []struct {
			ID     string
			Config config
			Runs   []referenceRun
		}
	}
	readJSON(t, "benchmarks.json.gz", &file)
	runs := 0
	for _, c := range file.Configs {
		t.Run(c.ID, func(t *testing.T) {
			trace := c.Config.trace(t)
			for i, r := range c.Runs {
				if !testing.Short() || i%7 == 0 {
					r.check(t, trace)
				}
				runs++
			}
		})
	}
	if runs < 1665 {
		t.Errorf("%d runs, want 1665", runs)
	}
}
