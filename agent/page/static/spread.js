// A board without rows: circles at the places of `agent.boards.graph_layout`, and the edges between them.
import { h, svg } from './dom.js'
import { layer } from './ideas.js'
import { arrows, choices } from './moves.js'

const WIDE = 0.84 // size of a cell, as a share of the minimum distance
const SHORT = 3 // maximum characters of names that fit into empty cells

// `cell(place)` draws the cell of a column.
export function spread (grid, g, cell, { named, chooser, moved }) {
  const size = WIDE * Math.min(1, ...grid.ways.map(([one, other]) => Math.hypot(...[0, 1].map(i => grid.spots[one][i] - grid.spots[other][i]))))
  const [wide, high] = [0, 1].map(i => Math.max(...grid.spots.map(spot => spot[i])) + 1)
  const middle = ([, column]) => grid.spots[column].map(part => part + 0.5)
  const ways = svg('svg', { class: 'ways', viewBox: `0 0 ${wide} ${high}`, 'aria-hidden': 'true' }, grid.ways.map(([one, other]) => {
    const [[x1, y1], [x2, y2]] = [middle([g, one]), middle([g, other])]
    return svg('line', { x1, y1, x2, y2 })
  }))
  const told = grid.columns.every(name => name.length <= SHORT)
  const here = moved.filter(({ cells }) => cells.every(([board]) => board === g))
  return h('div', { class: chooser !== undefined ? 'board-frame roomy' : 'board-frame', role: 'group', 'aria-label': `Board ${grid.title}` },
    named && h('p', { class: 'caption' }, grid.title),
    h('div', { class: 'board net', style: { '--wide': wide, '--high': high, '--size': size } },
      ways,
      grid.columns.map((name, x) => {
        const made = cell([g, x, 0])
        const [left, top] = middle([g, x])
        made.style.setProperty('--left', left)
        made.style.setProperty('--top', top)
        if (told) made.prepend(h('span', { class: 'name', 'aria-hidden': 'true' }, name))
        else made.title = name
        return made
      }),
      arrows(here, grid, middle, [wide, high]), layer(g, [wide, high])),
    choices(grid, g, chooser))
}
