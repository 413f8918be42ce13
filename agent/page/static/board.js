// A position as a board, or as facts by relation where it is none, and the ways to choose a move on it.
import { h } from './dom.js'

const MANY = 400 // facts that are listed

// `chooser`, where moves can be made: { moves, picked, pick(cell), play(move) } with moves as [{ move, cells, column }].
export function board (picture, before, chooser) {
  if (!picture) return h('p', { class: 'soft' }, 'No position yet.')
  return h('div', { class: 'position' },
    picture.grid && grid(picture.grid, before?.grid, chooser),
    facts(picture.others))
}

function grid (grid, before, chooser) {
  const wide = grid.columns.length
  const columns = columnMoves(chooser)
  const head = h('tr', {}, h('td', { class: 'corner' }),
    grid.columns.map((name, x) => h('th', { scope: 'col' }, columns.get(x) ? columnButton(name, x, columns, chooser) : name)))
  const rows = grid.rows.map((name, y) => h('tr', {},
    h('th', { scope: 'row' }, name),
    grid.columns.map((column, x) => cell(grid, before, chooser, columns, x, y))))
  return h('div', { class: 'board-frame' },
    h('table', { class: 'board', style: { '--wide': wide, '--high': grid.rows.length }, onkeydown: walk },
      h('caption', { class: 'hidden' }, `Board: ${grid.relation}, ${wide} by ${grid.rows.length}`),
      h('tbody', {}, rows), h('tfoot', {}, head)),
    legend(grid))
}

function cell (grid, before, chooser, columns, x, y) {
  const content = grid.cells[y][x]
  const changed = before && before.cells?.[y]?.[x] !== content && before.columns.length === grid.columns.length
  const state = chooser ? cellState(chooser, x, y) : null
  const name = `${grid.columns[x]} ${grid.rows[y]}: ${content || 'empty'}`
  const inside = piece(content, grid.symbols[content])
  const classes = ['cell', (x + y) % 2 ? 'odd' : 'even', changed ? 'changed' : '', state ?? ''].join(' ')
  if (state) {
    const what = { source: ', choose to move from here', picked: ', chosen', target: ', move here' }[state]
    return h('td', { class: classes }, h('button', {
      type: 'button', 'data-key': `cell ${x} ${y}`, 'data-x': x, 'data-y': y,
      'aria-label': name + what, 'aria-pressed': state === 'picked' ? 'true' : null, onclick: () => chooser.pick([x, y])
    }, inside))
  }
  if (columns.get(x)) {
    return h('td', { class: `${classes} incolumn`, onclick: () => chooser.play(columns.get(x)) }, inside, hidden(content))
  }
  return h('td', { class: classes }, inside, hidden(content))
}

function hidden (content) {
  return h('span', { class: 'hidden' }, content || 'empty')
}

function columnMoves (chooser) {
  const columns = new Map()
  for (const { move, column } of chooser?.moves ?? []) if (column !== null) columns.set(column, move)
  return columns
}

function columnButton (name, x, columns, chooser) {
  return h('button', {
    type: 'button', class: 'column', 'data-key': `column ${x}`, 'data-x': x, 'data-y': 99,
    'aria-label': `${columns.get(x)}`, onclick: () => chooser.play(columns.get(x))
  }, name)
}

function cellState ({ moves, picked }, x, y) {
  const here = ([column, row]) => column === x && row === y
  if (picked && here(picked)) return 'picked'
  if (picked && moves.some(({ cells }) => cells.length > 1 && same(cells[0], picked) && here(cells.at(-1)))) return 'target'
  return moves.some(({ cells }) => cells.length && here(cells[0])) ? 'source' : null
}

export function same (one, other) {
  return one[0] === other[0] && one[1] === other[1]
}

function piece (content, symbol) {
  if (!symbol || symbol.blank) return null
  if (typeof symbol.tint === 'string') {
    return h('span', { class: `disc tint-${symbol.tint}`, 'aria-hidden': 'true', title: content }, symbol.short ?? '')
  }
  return h('span', {
    class: `mark hue-${symbol.tint % 8}`, 'aria-hidden': 'true', title: content, 'data-length': Math.min(symbol.label.length, 6)
  }, symbol.label)
}

function legend (grid) {
  const named = Object.entries(grid.symbols).filter(([content, { blank, label, tint }]) =>
    !blank && label !== content && typeof tint !== 'string')
  if (!named.length || named.length > 12) return null
  return h('p', { class: 'legend soft' }, named.map(([content, { label }]) => `${label} is ${content}`).join(', '))
}

// Arrow keys go from one button of the board to the nearest in their direction.
function walk (event) {
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
  const from = event.target.closest('[data-x]')
  if (!way || !from) return
  event.preventDefault()
  const at = button => [Number(button.dataset.x), Number(button.dataset.y)]
  const [x, y] = at(from)
  const far = button => {
    const [dx, dy] = [at(button)[0] - x, at(button)[1] - y]
    const along = dx * way[0] + dy * way[1]
    return along > 0 ? along + 100 * Math.abs(dx * way[1] + dy * way[0]) : Infinity
  }
  const nearest = [...event.currentTarget.querySelectorAll('[data-x]')].sort((a, b) => far(a) - far(b))[0]
  if (nearest && far(nearest) < Infinity) nearest.focus()
}

function facts (others) {
  const relations = Object.entries(others)
  if (!relations.length) return null
  let left = MANY
  return h('dl', { class: 'facts' }, relations.map(([name, rows]) => {
    const shown = rows.slice(0, Math.max(left, 0))
    left -= rows.length
    return h('div', {}, h('dt', {}, name), h('dd', {},
      shown.filter(row => row.length).map(row => h('span', { class: 'fact' }, row.join(' '))),
      shown.length < rows.length && `and ${rows.length - shown.length} more`))
  }))
}
