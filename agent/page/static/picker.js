// State of choosing a move on the board: the cells picked so far, and the choice between moves of the same cells.
import { same } from './board.js'
import { h, show } from './dom.js'
import { words } from './words.js'

const SHOWN = 200 // maximum moves that are listed
const MANY = 24 // maximum moves of a list without a filter

// `play(move)` is called with the move, `draw()` after each pick.
export function picker (play, draw) {
  let [picked, offered, moves] = [[], null, []]
  let [filter, open] = ['', false]
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
    clear (path = []) { [picked, offered, filter] = [path, null, ''] },
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
    // Draws the moves as buttons; the list is closed, as `shut`, if all moves can be made on the board.
    list (own, title, shut, picture) {
      const listed = offered ?? own
      const buttons = h('ul')
      const more = h('p', { class: 'soft' })
      const fill = () => {
        const found = listed.filter(({ move }) => `${move} ${words(move, picture)}`.toLowerCase().includes(filter.toLowerCase()))
        show(buttons, found.slice(0, SHOWN).map(({ move }) => h('li', {}, h('button', { type: 'button', class: 'quiet', 'data-key': `move ${move}`, title: move, onclick: () => play(move) }, words(move, picture)))))
        more.textContent = found.length > SHOWN ? `and ${found.length - SHOWN} more; use the filter` : ''
      }
      fill()
      const onBoard = !offered && own.every(({ cells, column }) => cells.length || column !== null)
      const inside = [listed.length > MANY && h('input', { type: 'search', 'data-key': 'filter', 'aria-label': 'Filter the moves', placeholder: 'filter …', value: filter, oninput: ({ target }) => { filter = target.value; fill() } }), buttons, more]
      if (onBoard) return h('details', { class: 'choices', open, ontoggle: ({ target }) => { open = target.open } }, h('summary', { 'data-key': 'choices' }, shut), inside)
      return h('section', { class: 'choices' }, h('h3', {}, offered ? 'Choose one of these moves' : title), inside)
    }
  }
}
