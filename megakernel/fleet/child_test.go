package fleet_test

// childVariable has a test program be a process that tests kill.
const childVariable = "VYRETOP_TEST_CHILD"

// runChild is that process.
func runChild(string) int { return 0 }
