// Requests to the agent, and its event streams.

export class Refused extends Error {
  constructor (message, faults, busy = false, later = false) {
    super(message)
    this.faults = faults ?? []
    this.busy = busy // whether all match slots of the agent are in use
    this.later = later // whether the same request may succeed later
  }
}

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
  const answer = await response.json().catch(() => ({ error: 'the agent sent an answer that is not JSON' }))
  if (!response.ok) throw new Refused(sentence(answer.error), answer.faults, answer.busy, response.status === 503)
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
// all its windows together. The stream also has a section about the agent.
export function listenAlone (path, names, heard, lost = () => {}) {
  let paused = true
  const resume = () => { if (paused) about.resume(); paused = false }
  about.pause()
  const stop = listen(path, ['agent', ...names], (name, value) => name === 'agent' ? about.heard(name, value) : heard(name, value), closed => {
    if (closed) resume()
    else about.lost()
    lost(closed)
  })
  return () => { stop(); resume() }
}

// Calls `heard` with the name and value of each changed section, and `lost` when the connection is lost.
export function listen (path, names, heard, lost = () => {}) {
  if (DOTS.test(path)) {
    const timer = setTimeout(() => lost(true))
    return () => clearTimeout(timer)
  }
  const source = new EventSource(path)
  for (const name of names) source.addEventListener(name, event => heard(name, JSON.parse(event.data)))
  let done = false
  source.addEventListener('error', () => setTimeout(() => { if (!done && source.readyState !== EventSource.OPEN) lost(source.readyState === EventSource.CLOSED) }, UNLOADING))
  return () => { done = true; source.close() }
}
