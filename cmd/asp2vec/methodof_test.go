package main

import (
	"strings"
	"testing"
)

// Papers and authors have a method of their own where none is given, and other heterogeneous networks one that learns from any of them, from a
// folder.
func TestMethodOfTheData(t *testing.T) {
	t.Chdir(t.TempDir())
	plantPapers(t, 30, 60, 3, 1000)
	for _, c := range []struct{ given, want string }{{"", "method=m2v++"}, {"camel", "method=camel"}} {
		args := []string{"train", "--bibliography", "papers", "--dim", "4", "--word-dim", "4", "--epochs", "1", "--out", "run" + c.given}
		if c.given != "" {
			args = append(args, "--method", c.given)
		}
		says(t, must(t, args...).err, c.want)
	}
	writeMusic(t, 0)
	says(t, must(t, "train", "--schema", "music", "--dim", "4", "--epochs", "1", "--out", "music-run").err, "method=metapath2vec")
	for args, want := range map[string]string{"--dataset dblp": "m2v++", "--dataset cora": "asp2vec", "--dataset dblp --method m2v++": "m2v++"} {
		r := invoke(append(strings.Fields("train --margin 1 "+args), "--data", "nowhere")...)
		if want += " has no such option"; !strings.Contains(r.err, want) {
			t.Errorf("%s: %s\nwant %s", args, r.err, want)
		}
	}
}

// Node2vec with its defaults walks as DeepWalk does, and train says so.
func TestNode2vecOfDeepWalk(t *testing.T) {
	enter(t)
	must(t, "data", "generate", "karate", "--out", "links.tsv")
	for args, told := range map[string]bool{"--method node2vec": true, "--method node2vec --p 4": false, "--method deepwalk": false} {
		out := must(t, append([]string{"train", "links.tsv", "--dim", "2", "--pairs-per-vertex", "20", "--force"}, strings.Fields(args)...)...)
		if strings.Contains(out.err, "is DeepWalk") != told {
			t.Errorf("%s: told %v\n%s", args, !told, out.err)
		}
	}
}
