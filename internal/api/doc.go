// Package api answers, on this machine alone, what is known of sessions: as JSON, as a stream of events, and as metrics.
//
// It judges nothing and stores nothing (when it was seen that there was no guard, it knows until it ends); package store is asked, and moai itself for what only it can tell. Its invariants:
// a request without the secret gets no answer; a request names a project by its key and never by a path; and a slow
// reader holds nothing up.
//
//   - The door (api.go) stands before every route: a name that is not this server's (421), another page, by Origin
//     or Sec-Fetch-Site (403), no secret (401), a change without the page's token or JSON (403), more than 64 KiB (413). The secret in
//     the address is changed for a cookie of another value, named by the port; both come from one secret in
//     `serve.json` of the state folder, which with the last port has open pages go on after a restart. A browser is
//     opened by a code that counts once and for a minute, since other users see command lines. Browsers send a cookie
//     of 127.0.0.1 to all its ports, so that the cookie opens the page's own files alone. For the rest the page needs a
//     pass, which ends with the server: it gets one by proving (proof.go) that it has the key that stood behind # in
//     the address, which it keeps and never sends. Who takes the port when the server has ended gets nothing that counts.
//   - A description that cannot lie: routes are one table (routes.go), and `/openapi.json` is made from it and from
//     the types of the answers; a test holds answers against it.
//   - The stream has no queue for each reader: the newest 4,096 events are at hand, each reader takes what is behind
//     its own number, older ones come from the store. Who takes five seconds for a portion is dropped, and comes back
//     with the last id: the store's generation and the number in it, so that nothing is missing and nothing comes
//     twice; of a store that was made anew it is told by `reset`. Events of hooks come by fsnotify, and by the clock
//     where that is missing.
//   - What is asked of moai (ask.go) are its own verbs with `--json`, in the project's folder, which a request names
//     by its key: plan and restore, doctor, detection, TAGs are what a person would see, and have one home.
package api
