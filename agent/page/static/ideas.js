// Moves that are shown on a board although nobody made them: the best moves of a search, or a hint.
import { svg } from './dom.js'
import { middle } from './cell.js'

// An empty layer over a board; `point` fills it.
export function layer (g, [wide, high]) {
  return svg('svg', { class: 'arrows ideas', 'data-board': g, viewBox: `0 0 ${wide} ${high}`, 'aria-hidden': 'true' })
}

// Shows `ideas`, best first, over the boards of `picture` in `place`; an idea is the cells of a move, [board, column, row].
// `threat` is a move of the other side.
export function point (place, picture, ideas, threat = []) {
  for (const over of place.querySelectorAll('.ideas')) {
    const g = Number(over.dataset.board)
    const grid = picture.grids[g]
    const at = ([, x, y]) => grid.spots?.length ? grid.spots[x].map(part => part + 0.5) : middle(grid, x, y)
    const here = [...ideas.map((cells, rank) => ({ cells, rank })), { cells: threat, rank: 'threat' }].filter(({ cells }) => cells.length && cells.every(([board]) => board === g))
    over.replaceChildren(...here.reverse().map(({ cells, rank }) => drawn(cells.map(at), rank)))
  }
}

function drawn (points, rank) {
  if (points.length === 1) return svg('g', { class: `idea idea-${rank}` }, svg('circle', { cx: points[0][0], cy: points[0][1], r: rank === 'threat' ? 0.32 : 0.4 - 0.04 * rank }))
  const [[fromX, fromY], [x, y]] = points.slice(-2)
  const turn = Math.atan2(y - fromY, x - fromX) * 180 / Math.PI
  return svg('g', { class: `idea idea-${rank}` },
    svg('path', { d: points.map(([px, py], i) => `${i ? 'L' : 'M'}${px} ${py}`).join('') }),
    svg('path', { class: 'tip', d: 'M.14 0L-.2 .2L-.2 -.2Z', transform: `translate(${x} ${y}) rotate(${turn})` }))
}

// The cells of the best moves of a search, for `point`; `offered` are the legal moves with their cells.
export function bestCells (figures, offered, most = 3) {
  const ranked = (figures?.moves ?? []).filter(({ visits, proven }) => visits || proven).slice(0, most)
  return ranked.map(({ move }) => offered.find(one => one.move === move)?.cells ?? [])
}
