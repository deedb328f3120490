package network_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/network"
)

// Carl knows a couple from work and a couple from the choir; the couples do not know one another.
func ExampleNetwork_Personas() {
	text := "anna bert\nanna carl\nbert carl\ncarl dora\ncarl emil\ndora emil\n"
	n, _, err := network.ReadFrom(strings.NewReader(text), "friends.txt", network.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := n.Personas(context.Background(), network.ClusteringLabels, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range p.Network.List() {
		fmt.Println(p.Network.Name(l.From), p.Network.Name(l.To))
	}
	// Output:
	// anna#0 bert#0
	// anna#0 carl#0
	// bert#0 carl#0
	// carl#1 dora#0
	// carl#1 emil#0
	// dora#0 emil#0
}
