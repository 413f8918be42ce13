// Match slots for a game: wait for a free slot, leave another game of this browser, or accept random moves.
import { h } from './dom.js'
import { get, post } from './net.js'
import { part } from './part.js'
import { local } from './storage.js'

const TABLES = 'ggp-agent tables' // keys of the games of this browser
const MANY = 8
const AGAIN = 1000 // milliseconds before the next try when another game took the slot

export function tookPlace (key) {
  local.setItem(TABLES, JSON.stringify([key, ...keys().filter(one => one !== key)].slice(0, MANY)))
}

function keys () {
  try {
    const stored = JSON.parse(local.getItem(TABLES) ?? '[]')
    return Array.isArray(stored) ? stored.filter(key => typeof key === 'string') : []
  } catch {
    return []
  }
}

// The games of this browser that still use a match slot.
async function running () {
  const found = await Promise.all(keys().map(key => get(`api/play/${encodeURIComponent(key)}`).catch(() => null)))
  return found.filter(one => one && !['over', 'left'].includes(one.phase))
}

// `needed()` is the number of roles for the agent; `begin(random)` starts the game; `button` is the start button.
export function seats (store, needed, begin, button) {
  const place = part({ class: 'seats' })
  let waiting = false
  let held = 0 // time until which no slot is requested
  let own = [] // running games of this browser
  let looked = null // the number of free slots in the last update

  function state () {
    const { agent } = store.data
    const want = Math.min(needed(), agent?.places ?? Infinity)
    return { ready: !want || (agent?.ready ?? true), all: agent?.places, want, needed: needed(), short: Boolean(agent) && agent.room < want }
  }

  function draw () {
    const now = state()
    if (waiting && now.ready && !now.short && Date.now() >= held) {
      waiting = false
      begin(false)
    }
    if (now.short && looked !== store.data.agent.room) look()
    if (!now.short) looked = null
    button.textContent = now.short || !now.ready ? 'Wait, then begin' : 'Begin'
    place.draw([now, waiting, own], () => [
      (now.short || !now.ready || now.needed > now.all) && h('p', { class: 'note', role: 'status' }, words(now, waiting)),
      (now.short || waiting) && h('p', { class: 'actions' },
        waiting && h('button', { type: 'button', class: 'quiet', 'data-key': 'stop waiting', onclick: () => { waiting = false; draw() } }, 'Stop waiting'),
        own.map(({ key, title }) => h('button', { type: 'button', class: 'quiet', 'data-key': `leave ${key}`, onclick: () => away(key) }, `Leave my other game: ${title}`)),
        now.short && h('button', { type: 'button', class: 'quiet', 'data-key': 'at random', onclick: () => { waiting = false; begin(true) } }, 'Play against random moves'))])
  }

  async function look () {
    looked = store.data.agent.room
    own = await running()
    draw()
  }

  async function away (key) {
    await post(`api/play/${encodeURIComponent(key)}/leave`, {}).catch(() => {})
    own = own.filter(one => one.key !== key)
    draw()
  }

  const stop = store.follow(draw)
  draw()
  return {
    place,
    draw,
    // Whether the game may start now; otherwise it starts when a match slot is free.
    free () {
      const { ready, short } = state()
      waiting = short || !ready
      draw()
      return !waiting
    },
    wait () {
      waiting = true
      held = Date.now() + AGAIN
      setTimeout(draw, AGAIN)
      draw()
    },
    close () { waiting = false; stop() }
  }
}

function words ({ ready, short, all, needed, want }, waiting) {
  const beyond = needed > all ? ` The agent plays ${needed} roles of this game, but has ${all === 1 ? 'one match slot' : `${all} match slots`} (\`server.matches\`): the other ${needed - all === 1 ? 'role moves' : `${needed - all} roles move`} at random.` : ''
  if (short) return `${waiting ? 'Waiting for a free match slot; the game starts automatically. ' : ''}All match slots of this agent (${all}) are in use${want > 1 ? `, and this game needs ${want}` : ''}. Wait for one, or play against random moves.${beyond}`
  if (!ready) return `The agent is still warming up; ${waiting ? 'the game starts automatically when it is ready.' : 'a game starts when it is ready.'}${beyond}`
  return beyond.trim()
}
