// One stream for all tabs of a browser: browsers allow six connections to a server, and a tab each would use them up. When it ends, it is
// opened again with the key of a tab that has proved itself: another server may answer by then.
const ports = new Set();
let source, key = '', last = '', alive = false;
const tell = message => { for (const p of ports) p.postMessage(message); };

function open() {
  source?.close();
  source = new EventSource('/api/events/stream?' + new URLSearchParams({ key, ...last && { after: last } }));
  source.addEventListener('session.event', e => { last = e.lastEventId; tell({ kind: 'event', data: e.data }); });
  source.addEventListener('hello', e => { last = e.lastEventId; alive = true; tell({ kind: 'live' }); });
  source.addEventListener('reset', () => tell({ kind: 'reset' }));
  source.onerror = () => {
    source.close();
    alive = false;
    tell({ kind: 'lost' });
  };
}

onconnect = e => {
  const port = e.ports[0];
  ports.add(port);
  port.onmessage = ({ data }) => {
    const other = data.key !== key; // the first tab has brought it, or a server has another one
    key = data.key;
    if (other || !alive && source?.readyState !== EventSource.CONNECTING) open();
  };
  if (alive) port.postMessage({ kind: 'live' });
};
