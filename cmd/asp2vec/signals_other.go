//go:build !unix

package main

import "os"

// timeUpSignals: there are none here.
var timeUpSignals []os.Signal
