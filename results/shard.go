package results

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ShardFolder returns the folder beside a store, "runs.d" of "runs.jsonl", in which processes on several machines each have a file of
// their own. Such a file has one writer, so that nothing depends on locks, which network file systems may not have. Reading the store
// reads these files too.
func ShardFolder(store string) string {
	return strings.TrimSuffix(store, filepath.Ext(store)) + ".d"
}

// ShardFile returns the path of a file for this process in the ShardFolder of a store. Its name is prefix, host, process and time.
func ShardFile(store, prefix string) string {
	host, err := os.Hostname()
	if err != nil {
		host = "host"
	}
	name := fmt.Sprintf("%s-%s-%d-%s.jsonl", prefix, host, os.Getpid(), strconv.FormatInt(time.Now().UnixNano(), 36))
	return filepath.Join(ShardFolder(store), strings.ReplaceAll(name, string(filepath.Separator), "_"))
}
