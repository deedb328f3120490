package runs

import (
	"fmt"
	"strings"
	"testing"
)

// The part that a task does, by what schedulers tell it.
func TestShardOfTask(t *testing.T) {
	for _, c := range []struct{ env, want string }{
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_COUNT=8", "3/8"},
		{"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_COUNT=8", "1/8"},
		{"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_COUNT=2", "without gaps"},
		{"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_COUNT=2 ASP2VEC_SHARDS=8", "without gaps"},
		{"SLURM_ARRAY_TASK_ID=x", `SLURM_ARRAY_TASK_ID="x"`},
		{"PBS_ARRAY_INDEX=2 ASP2VEC_SHARDS=4", "2/4"},
		{"PBS_ARRAY_INDEX=2", "expected ASP2VEC_SHARDS=N"},
		{"PBS_ARRAY_INDEX=5 ASP2VEC_SHARDS=4", "without gaps"},
		{"LSB_JOBINDEX=8 LSB_JOBINDEX_END=8", "8/8"},
		{"LSB_JOBINDEX=0 LSB_JOBINDEX_END=0", "no array task"},
		{"JOB_COMPLETION_INDEX=0 JOB_COMPLETION_COUNT=5", "1/5"},
		{"JOB_COMPLETION_INDEX=4 ASP2VEC_SHARDS=5", "5/5"},
		{"JOB_COMPLETION_INDEX=4", "expected ASP2VEC_SHARDS=N"},
		{"AWS_BATCH_JOB_ARRAY_INDEX=1 AWS_BATCH_JOB_ARRAY_SIZE=2", "2/2"},
		{"ASP2VEC_SHARDS=4", "no array task"},
	} {
		env := map[string]string{}
		for _, x := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(x, "=")
			env[name] = value
		}
		i, n, err := shardOf("auto", func(name string) string { return env[name] })
		if got := fmt.Sprintf("%d/%d %v", i, n, err); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, expected %s", c.env, got, c.want)
		}
	}
}
