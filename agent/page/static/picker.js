// State of choosing a move on the board: the cells picked so far, and the choice between moves of the same cells.
import { same } from './board.js'
import { h } from './dom.js'
import { words } from './words.js'

const SHOWN = 60 // maximum moves that are listed

// `play(move)` is called with the move, `draw()` after each pick.
export function picker (play, draw) {
  let [picked, offered, moves] = [[], null, []]
  const along = path => moves.filter(({ cells }) => cells.length >= path.length && path.every((one, i) => same(one, cells[i])))

  function take (path) {
    picked = path
    draw()
  }

  function pick (cell) {
    offered = null
    if (picked.length && same(picked.at(-1), cell)) return take(picked.slice(0, -1))
    const path = picked.length && along([...picked, cell]).length ? [...picked, cell] : [cell]
    const found = along(path)
    if (!found.length) return take([])
    if (found.every(({ cells }) => cells.length === path.length)) {
      if (found.length === 1) return play(found[0].move)
      offered = found
    } else if (found.some(({ cells }) => cells.length === path.length)) offered = found
    take(path)
  }

  return {
    get state () { return [picked, offered] },
    clear () { [picked, offered] = [[], null] },
    back () {
      if (!picked.length && !offered) return false
      offered = null
      take([])
      return true
    },
    chooser (own) {
      moves = own
      return { moves, picked, offered, pick, play }
    },
    // Draws the moves as buttons; the list is open if some move cannot be made on the board.
    list (own, title, picture) {
      const shown = offered ?? own
      const onBoard = !offered && own.every(({ cells, column }) => cells.length || column !== null)
      return h('details', { class: 'choices', open: !onBoard }, h('summary', { 'data-key': 'choices' }, offered ? 'Choose one of these moves' : title),
        h('ul', {}, shown.slice(0, SHOWN).map(({ move }) => h('li', {}, h('button', { type: 'button', class: 'quiet', 'data-key': `move ${move}`, title: move, onclick: () => play(move) }, words(move, picture))))),
        shown.length > SHOWN && h('p', { class: 'soft' }, `and ${shown.length - SHOWN} more`))
    }
  }
}
