// Package e2e drives the real agent client, offline, with moai's hooks installed
// as moai init installs them, and checks what reaches the user and the model.
//
// It holds tests only, behind the build tag e2e, since they need the client's
// binary of some 370 MB: make e2e fetches it. The scenarios are data, in
// testdata/e2e; the rig that plays them is the command in the folder harness.
package e2e
