// Package repo reads Git repositories: discovery, configuration, HEAD and
// references, the index, ignore rules and attributes, and the status of the
// working tree.
//
// It is not a Git implementation for writing: it never touches the index, HEAD,
// the working tree or a user's reference while it reads, and it never starts a
// process. Objects are read by object.go and pack*.go; references are written by
// ref_write*.go with Git's own lock protocol.
//
// Invariant: an answer is either what `git` of the same repository would say, or
// it is refused in one line (*Declined), or it is marked as partial or
// approximate. Repositories are hostile input: every size is checked before it is
// used, and nothing outside the working tree is read through it.
package repo
