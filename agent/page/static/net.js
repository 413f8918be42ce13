// Requests to the agent, and its event streams.

export class Refused extends Error {
  constructor (message, faults, busy = false, later = false) {
    super(message)
    this.faults = faults ?? []
    this.busy = busy // whether all match slots of the agent are in use
    this.later = later // whether the same request may succeed later
  }
}

const LATER = [502, 503, 504] // statuses of an agent, or of a proxy in front of it, that may answer later
const DOTS = /(^|\/)(\.|%2e){1,2}(\/|$)/i // a browser takes such a key in a path for a step up to another address

export async function get (path) {
  return answered(await reached(path))
}

export async function post (path, body) {
  return answered(await reached(path, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body)
  }))
}

async function reached (path, options = {}) {
  if (DOTS.test(path)) throw new Refused('There is nothing at this address.')
  try {
    return await fetch(path, options)
  } catch {
    throw new Refused('The agent does not answer. Is `ggp-agent` still running?', [], false, true)
  }
}

async function answered (response) {
  const answer = await response.json().catch(() => ({ error: `the answer with status ${response.status} is not JSON, so it is not one of the agent` }))
  if (!response.ok) throw new Refused(sentence(answer.error), answer.faults, answer.busy, LATER.includes(response.status))
  return answer
}

export function sentence (text) {
  const words = String(text)
  return words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? '' : '.')
}

const UNLOADING = 300 // milliseconds until a reloading page is gone; its streams end earlier

// What uses the sections about the agent in the stream of a game or an analysis, see `listenAlone`.
let about = { pause () {}, resume () {}, heard () {}, lost () {} }
export function shareStream (user) {
  about = user
}

// Like `listen`, and pauses the stream of the agent meanwhile: a browser opens at most six connections to the agent, from
// all its windows together. The stream also has a section about the agent, and may have one that says why it is the last:
// then `lost` gets this reason, too.
export function listenAlone (path, names, heard, lost = () => {}) {
  let paused = true
  const resume = () => { if (paused) about.resume(); paused = false }
  about.pause()
  const close = () => { stop(); resume() }
  const stop = listen(path, ['agent', 'closed', ...names], (name, value) => {
    if (name === 'agent') about.heard(name, value)
    else if (name !== 'closed') heard(name, value)
    else if (value) {
      close()
      lost(true, value)
    }
  }, closed => {
    if (closed) resume()
    else about.lost()
    lost(closed)
  })
  return close
}

const AGAIN = 3000 // milliseconds until a refused stream is opened again

// Calls `heard` with the name and value of each changed section, and `lost(closed)` when the connection is lost. `closed`:
// the agent has nothing at this address any more. Otherwise the stream is opened again, also after the refusal of a busy
// agent, or of a proxy in front of it.
export function listen (path, names, heard, lost = () => {}) {
  let [done, timer, source] = [false, 0, null]
  if (DOTS.test(path)) timer = setTimeout(() => lost(true))
  else open()

  function open () {
    const opened = source = new EventSource(path)
    let failed = false
    for (const name of names) opened.addEventListener(name, event => heard(name, JSON.parse(event.data)))
    opened.addEventListener('error', () => setTimeout(() => {
      if (done || failed || opened.readyState === EventSource.OPEN) return
      if (opened.readyState === EventSource.CONNECTING) return lost(false)
      failed = true
      refused()
    }, UNLOADING))
  }

  async function refused () {
    const closed = await nothingAt(path)
    if (done) return
    lost(closed)
    if (!closed) timer = setTimeout(open, AGAIN)
  }

  return () => { done = true; clearTimeout(timer); source?.close() }
}

// Whether the agent itself says that there is nothing at an address. A browser does not tell why it closed a stream.
async function nothingAt (path) {
  const stop = new AbortController()
  try {
    const { status, headers } = await fetch(path, { signal: stop.signal })
    return status === 404 && Boolean(headers.get('Content-Type')?.includes('json'))
  } catch {
    return false
  } finally {
    stop.abort()
  }
}
