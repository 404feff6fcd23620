package numeric_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// Where the processor has a fused multiply-add the compiler may use it for
// x*y + z, across statements too, and the result differs in the last bit from
// that of a processor without. No package from which a number can reach a
// result may contain one: each product that is added to something is converted
// explicitly. The compiler for arm64, which fuses whatever it may, is the
// judge.
func TestNothingIsFused(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for another processor")
	}
	fused := regexp.MustCompile(`\((\S+\.go:\d+)\)\s+(FN?M(?:ADD|SUB)[SD])\b`)
	for _, pkg := range []string{"simtest/numeric", "simtest/draws", "simtest/pyrand", "simtest/provider", "simtest/placement",
		"simtest/experiment", "simtest/catalog", "reports", "acquire", "pool", "clock"} {
		cmd := exec.Command("go", "build", "-gcflags=-S", "github.com/ranktest/ranktest/"+pkg)
		cmd.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "CGO_ENABLED=0")
		assembly, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", pkg, err, assembly)
		}
		if !bytes.Contains(assembly, []byte("TEXT")) {
			t.Fatalf("%s: the compiler printed no assembly", pkg)
		}
		for _, m := range fused.FindAllSubmatch(assembly, -1) {
			t.Errorf("%s: %s: convert the product explicitly, float64(x*y)", m[1], m[2])
		}
	}
}
