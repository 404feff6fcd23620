package simtest

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// writeAnnotations writes a workflow command for GitHub per failed spec. Unlike
// Ginkgo's own (--github-output), which names the spec, its text is the
// failure: who reads the pull request reads which ranking changed, and why.
func writeAnnotations(w io.Writer, report ginkgo.Report) error {
	root := moduleRoot()
	for _, spec := range report.SpecReports {
		if !spec.State.Is(types.SpecStateFailureStates) {
			continue
		}
		at := spec.Failure.Location
		file, err := filepath.Rel(root, at.FileName)
		if err != nil {
			file = at.FileName
		}
		title := strings.TrimSpace(spec.FullText())
		if title == "" {
			title = spec.LeafNodeType.String()
		}
		if _, err := fmt.Fprintf(w, "::error file=%s,line=%d,title=%s::%s\n",
			property.Replace(filepath.ToSlash(file)), at.LineNumber, property.Replace(title), message.Replace(spec.Failure.Message)); err != nil {
			return err
		}
	}
	return nil
}

// A workflow command is one line; these characters are written as GitHub's
// runner decodes them.
var (
	message  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
