// moai: written by moai init --agent opencode, and taken out by moai init --agent opencode --uninstall.
// opencode calls functions and no commands: each of them asks moai, with JSON on standard input and output.
import { spawn } from "node:child_process"

const program = "@PROGRAM@"
const closed = "@CLOSED@" === "true" // whether a call is stopped that moai did not answer
const limit = 10000

function ask(event, payload, cwd) {
  return new Promise((done) => {
    let out = "", err = "", child
    const failed = (why) => done({ failed: `moai did not answer: ${why}` })
    try {
      child = spawn(program, ["hook", "--dialect", "opencode"], { cwd, stdio: ["pipe", "pipe", "pipe"] })
    } catch (e) {
      return failed(String(e))
    }
    const timer = setTimeout(() => { child.kill("SIGKILL"); failed(`not within ${limit} ms`) }, limit)
    child.on("error", (e) => { clearTimeout(timer); failed(String(e)) })
    child.stdout.on("data", (b) => (out += b))
    child.stderr.on("data", (b) => (err += b))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify({ hook_event_name: event, cwd, ...payload }))
    child.on("close", (code) => {
      clearTimeout(timer)
      let answer = {}
      try { answer = JSON.parse(out || "{}") } catch { if (code === 0) return failed("its answer is no JSON") }
      if (code === 2) return done({ ...answer, action: "deny", reason: answer.reason || err.trim() || "moai does not allow this" })
      if (code !== 0) return failed(err.trim() || `exit code ${code}`)
      done(answer)
    })
  })
}

export const Moai = async ({ client, directory, worktree }) => {
  const root = worktree && worktree !== "/" ? worktree : directory
  const call = (event, payload) => ask(event, { worktree: root, ...payload }, directory)
  const waiting = new Map() // by session: what the model is told with the next request
  const keep = (session, text) => { if (text) waiting.set(session, [waiting.get(session), text].filter(Boolean).join("\n\n")) }
  const show = (message, variant = "info") => {
    if (message) Promise.resolve(client?.tui?.showToast?.({ body: { title: "moai", message, variant } })).catch(() => {})
  }
  const began = new Map() // by session: its start, which the first request waits for
  const begin = (session) => {
    if (!began.has(session)) {
      began.set(session, call("session.created", { session_id: session, source: "startup" }).then((a) => { keep(session, a.context); show(a.message) }))
    }
    return began.get(session)
  }
  return {
    "tool.execute.before": async (input, output) => {
      const a = await call("tool.execute.before", { session_id: input.sessionID, call_id: input.callID, tool_name: input.tool, tool_input: output.args })
      if (a.failed && closed) throw new Error(a.failed)
      if (a.failed) show(a.failed, "warning")
      if (a.action === "deny" || a.action === "ask") throw new Error(a.reason || "moai does not allow this")
      keep(input.sessionID, a.context)
      show(a.message)
    },
    "tool.execute.after": async (input, output) => {
      const a = await call("tool.execute.after", { session_id: input.sessionID, call_id: input.callID, tool_name: input.tool, tool_input: input.args, tool_response: { output: output.output } })
      if (a.context && typeof output.output === "string") output.output += `\n\n${a.context}`
      show(a.message)
    },
    "chat.message": async (input, output) => {
      await begin(input.sessionID)
      const prompt = output.parts.filter((p) => p.type === "text").map((p) => p.text.replace(/^"([^]*)"$/, "$1")).join("\n")
      const a = await call("chat.message", { session_id: input.sessionID, prompt })
      keep(input.sessionID, a.context)
      show(a.message)
    },
    "experimental.chat.system.transform": async (input, output) => {
      const text = waiting.get(input.sessionID)
      if (text) output.system.push(text)
    },
    "experimental.session.compacting": async (input, output) => {
      const a = await call("experimental.session.compacting", { session_id: input.sessionID, trigger: "auto" })
      if (a.context) output.context.push(a.context)
    },
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id
      if (event.type === "session.idle") show((await call("session.idle", { session_id: session })).message)
      if (event.type === "session.deleted") await call("session.deleted", { session_id: session, reason: "other" })
    },
  }
}
