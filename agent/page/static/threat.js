// The threat in a position: what the other role would play if it were to move.
import { h } from './dom.js'
import { bestCells } from './ideas.js'
import { post } from './net.js'
import { words } from './words.js'

const SECONDS = 1 // of its search

// `ways` has at(), know(view), which adds a position to the tree without showing it, resume(), which continues the search
// of the position that is shown, draw(), and refuse(error).
export function threats (address, roles, ways) {
  let found = null // position that is shown, the same one with the other role to move, that role, and its best moves

  async function ask () {
    const from = ways.at()
    try {
      const view = await post(`${address}/try`, { node: from })
      const role = view.choosers[0]
      if (from !== ways.at()) return
      ways.know(view)
      found = { view, role, figures: null, done: role === undefined }
      if (role === undefined) return ways.draw()
      const { searches } = await post(`${address}/think`, { node: view.node, role, seconds: SECONDS })
      if (!searches && found?.view === view) found = null
      ways.draw()
    } catch (error) {
      found = null
      ways.refuse(error)
    }
  }

  return {
    ask,
    leave () { found = null },
    // Takes figures of a search; whether they are the threat's.
    heard ({ node, figures }) {
      if (!found || node !== found.view.node) return false
      const own = figures[found.role]
      found.figures = own ?? found.figures
      if (own?.done && !found.done) {
        found.done = true
        ways.resume()
      }
      return true
    },
    get state () { return found && [found.view.node, found.figures?.moves?.[0]?.move ?? null, found.done] },
    get cells () { return found?.figures ? bestCells(found.figures, found.view.moves[found.role] ?? [], 1)[0] ?? [] : [] },
    // What the threat is, as a sentence.
    said () {
      if (!found) return null
      const move = found.figures?.moves?.[0]?.move
      const name = roles[found.role]
      return h('p', { class: 'threat', role: 'status' }, found.role === undefined ? 'The other side has no choice here.' : move ? `${name} would play ${words(move, found.view.picture)}.` : `What would ${name} do? Searching …`)
    }
  }
}
