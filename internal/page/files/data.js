// What the page knows: asked of the server, and kept up by one stream that all tabs share.
export const D = { me: null, project: '', sessions: null, events: [], stats: null, live: false, lastAt: Date.now(), lostAt: 0, letters: new Map(), loud: [] };

export async function get(path, params = {}) {
  const q = new URLSearchParams();
  for (const [k, v] of Object.entries(params)) for (const one of [].concat(v)) if (one !== '' && one != null) q.append(k, one);
  const answer = await fetch(path + (q.size ? '?' + q : ''), { headers: { Accept: 'application/json' } });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error || answer.statusText);
  return body;
}

export async function post(path, body) {
  const answer = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Moai-Token': D.me.token }, body: JSON.stringify(body) });
  const got = await answer.json();
  if (!answer.ok) throw new Error(got.error || answer.statusText);
  return got;
}

// letter names a session for as long as the page is open.
export function letter(session) {
  if (!D.letters.has(session)) { const n = D.letters.size; D.letters.set(session, (n >= 26 ? String.fromCharCode(64 + (n / 26 | 0)) : '') + String.fromCharCode(65 + n % 26)); }
  return D.letters.get(session);
}

const midnight = () => { const d = new Date(); d.setHours(0, 0, 0, 0); return d.toISOString(); };

export async function refresh() {
  const project = D.project;
  const [sessions, stats, events] = await Promise.all([get('/api/sessions', { project, limit: 200 }), get('/api/stats', { project, since: midnight() }), get('/api/events', { project, limit: 30 })]);
  [...sessions].sort((a, b) => Date.parse(a.first_event) - Date.parse(b.first_event)).forEach(s => letter(s.id));
  const recent = await get('/api/events', { project, type: ['hook_failed', 'hook_slow'], since: new Date(Date.now() - 9e5).toISOString(), limit: 20 });
  Object.assign(D, { sessions, stats, events, loud: recent.filter(e => e.event_type === 'hook_failed') });
  if (events[0]) D.lastAt = Date.parse(events[0].created_at);
}

// listen calls changed for each event, and state when the server goes and comes.
export function listen(changed, state) {
  const heard = e => {
    const { kind, data } = e.data;
    if (kind === 'event') { D.lastAt = Date.now(); changed(JSON.parse(data)); }
    else if (kind === 'live') { const was = D.live; D.live = true; D.lostAt = 0; if (!was) state(); }
    else if (kind === 'lost') { if (D.live || !D.lostAt) { D.live = false; D.lostAt = Date.now(); state(); } }
    else if (kind === 'reset') state();
  };
  if (globalThis.SharedWorker) {
    const trusted = globalThis.trustedTypes?.createPolicy('moai', { createScriptURL: url => { if (url === '/stream.js') return url; throw new TypeError(url); } });
    const worker = new SharedWorker(trusted ? trusted.createScriptURL('/stream.js') : '/stream.js');
    worker.port.onmessage = heard;
    worker.port.start();
    return () => worker.port.postMessage('again');
  }
  const source = new EventSource('/api/events/stream');
  source.addEventListener('session.event', e => heard({ data: { kind: 'event', data: e.data } }));
  source.addEventListener('hello', () => heard({ data: { kind: 'live' } }));
  source.addEventListener('reset', () => heard({ data: { kind: 'reset' } }));
  source.onerror = () => heard({ data: { kind: 'lost' } });
  return () => {};
}
