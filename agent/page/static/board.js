// Draws a position as boards and facts, with the controls to choose a move.
import { h } from './dom.js'
import { amid, below, edges, lines, middle, pile, signs, stack, thingsAt, wallsAt } from './cell.js'
import { beside } from './beside.js'
import { spread } from './spread.js'
import { layer } from './ideas.js'
import { arrows, choices, dragging, slide } from './moves.js'

const MANY_LINES = 12 // minimum rows or columns of a board on which only some are labelled

// If moves can be made, `chooser` is { moves, picked, pick(cell), play(move) }. `moves` are [{ move, cells, column }], a
// cell is [board, column, row], and `picked` are the cells chosen so far.
export function board (picture, before, chooser) {
  if (!picture) return h('p', { class: 'soft' }, 'No position yet.')
  const { grids } = picture
  const turns = chooser !== undefined && grids.length === 1 && !grids[0].spots?.length
  const boards = grids.length > 0 && h('div', {
    class: ['boards', grids.length > 1 ? 'several' : '', picture.dense ? 'dense' : '', turns && turned ? 'turned' : ''].join(' '), style: { '--across': picture.across ?? 1, '--wide': grids[0].columns.length, '--high': grids[0].rows.length }, onkeydown: walk, onfocusin: rove, onpointerdown: event => dragging(event, chooser)
  }, grids.map((one, g) => grid(one, g, before?.grids?.[g], chooser, grids.length > 1 && (!picture.dense || whole(one)), picture.moved ?? [], picture.cause ?? [])))
  if (boards) slide(boards, picture, before)
  if (boards) boards.querySelector('[data-x]')?.setAttribute('tabindex', 0)
  return h('div', { class: 'position' }, boards, turns && turner(), legend(grids), beside(picture, chooser))
}

let turned = false // whether boards are rotated by 180 degrees

function turner () {
  return h('p', { class: 'turner' }, h('button', {
    type: 'button', class: 'link', 'data-key': 'turn', 'aria-pressed': turned ? 'true' : 'false', onclick: event => {
      turned = !turned
      event.currentTarget.setAttribute('aria-pressed', turned ? 'true' : 'false')
      event.currentTarget.closest('.position').querySelector('.boards').classList.toggle('turned', turned)
    }
  }, 'Turn the board'))
}

// Whether a board among small ones is not one of them: the titles of those end in two coordinates.
function whole ({ title }) {
  return !title.includes(' ')
}

function grid (grid, g, before, chooser, named, moved, cause) {
  if (grid.spots?.length) return spread(grid, g, place => cell(grid, before, chooser, new Map(), place, moved, cause), { named, chooser, moved })
  const [wide, high] = [grid.columns.length, grid.rows.length]
  const columns = g ? new Map() : columnMoves(chooser)
  const label = (name, index, last) => h('span', { class: index % 5 === 4 || index === last || !index ? '' : 'minor' }, short(name))
  const head = h('tr', {}, h('td', { class: 'corner' }),
    grid.columns.map((name, x) => h('th', { scope: 'col' }, columns.get(x) ? columnButton(name, x, columns, chooser) : label(name, x, wide - 1))))
  const rows = grid.rows.map((name, y) => h('tr', { style: { '--y': y } },
    h('th', { scope: 'row' }, label(name, high - 1 - y, high - 1)),
    grid.columns.map((column, x) => cell(grid, before, chooser, columns, [g, x, y], moved, cause))))
  const many = Math.max(wide, high) > MANY_LINES
  const form = ['board', many ? 'many' : '', grid.skew ? 'hex' : '', grid.checkered ? 'checkered' : '', grid.points ? 'points' : ''].join(' ')
  const here = moved.filter(({ cells }) => cells.every(([board]) => board === g))
  const over = grid.skew ? rows[0].firstChild : rows[0].querySelector('.cell') // hexagonal cells are clipped
  over.append(lines(grid), arrows(here, grid, ([, x, y]) => middle(grid, x, y), [wide, high]), layer(g, [wide, high]))
  return h('div', { class: ['board-frame', chooser !== undefined ? 'roomy' : '', whole(grid) ? 'whole' : ''].join(' '), role: 'group', 'aria-label': `Board ${grid.title}`, tabindex: many ? 0 : null },
    h('table', { class: form, style: { '--wide': wide, '--high': high, '--skew': grid.skew ?? 0 } },
      h('caption', { class: named ? '' : 'hidden' }, grid.title, h('span', { class: 'hidden' }, `, ${wide} by ${high}${chooser ? '; use the arrow keys to move between cells' : ''}`)),
      h('colgroup', {}, h('col', { class: 'corner' }), h('col', { span: wide })), h('tbody', {}, rows), h('tfoot', { style: { '--y': high - 1 } }, head)),
    choices(grid, g, chooser))
}

// Shortens the name of a row or column: a number without its prefix, or the first two letters.
function short (name) {
  const number = name.replace(/^[a-z]+-?0*(?=\d)/i, '')
  return /\d/.test(number) ? number : number.slice(0, 2)
}

function cell (grid, before, chooser, columns, place, moved, cause) {
  const [, x, y] = place
  const content = grid.cells[y][x]
  const all = thingsAt(grid, x, y)
  const changed = before && (before.cells?.[y]?.[x] !== content || String(thingsAt(before, x, y)) !== String(all) || below(before, x, y) !== below(grid, x, y)) && before.columns.length === grid.columns.length
  const state = chooser ? cellState(chooser, place) : null
  const tag = grid.spots?.length ? 'div' : 'td'
  const decided = cause.some(one => same(one, place))
  const name = `${coordinates(grid, x, y)}: ${all.join(', ') || 'empty'}${below(grid, x, y)}${wallsAt(grid, x, y)}${decided ? ', this decided' : ''}`
  const inside = [stack(all, grid.symbols), edges(grid, x, y), signs(grid, x, y), amid(grid, x, y), pile(grid, x, y)]
  const dark = (x + grid.rows.length - 1 - y) % 2 === 0
  const classes = ['cell', dark ? 'odd' : 'even', changed ? 'changed' : '', trodden(moved, place), decided ? 'cause' : '', state ?? '', ...sides(grid, x, y)].join(' ')
  const where = { 'data-place': place.join(' '), 'data-cell': coordinates(grid, x, y) }
  if (state) {
    const what = { source: '', picked: ', chosen', target: ', possible target' }[state]
    return h(tag, { class: classes, ...where }, h('button', {
      type: 'button', class: chooser.moves.some(({ cells }) => cells.length > 1) ? 'draggable' : '', 'data-key': `cell ${place.join(' ')}`, 'data-x': x, tabindex: -1,
      'aria-label': name + what, 'aria-pressed': state === 'picked' ? 'true' : null, onclick: () => chooser.pick(place)
    }, inside))
  }
  if (columns.get(x)) {
    return h('td', { class: `${classes} incolumn`, ...where, onclick: () => chooser.play(columns.get(x)) }, inside, hidden(all.join(', ') + (decided ? ', this decided' : '')))
  }
  return h(tag, { class: classes, ...where }, inside, hidden(tag === 'td' ? (all.join(', ') || 'empty') + below(grid, x, y) + (decided ? ', this decided' : '') : name))
}

function coordinates ({ columns, rows }, x, y) {
  return `${columns[x]} ${rows[y]}`.trim()
}

// Returns the class of a cell that one of the last moves has named.
function trodden (moved, place) {
  const found = moved.findLast(({ cells }) => cells.some(one => same(one, place)))
  return found ? found.last ? 'moved' : 'moved before' : ''
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
    type: 'button', class: 'column', 'data-key': `column ${x}`, 'data-x': x, tabindex: -1,
    'aria-label': `${columns.get(x)}`, onclick: () => chooser.play(columns.get(x))
  }, name)
}

function cellState ({ moves, picked }, place) {
  if (picked.some(one => same(one, place))) return 'picked'
  const goesOn = (path, { cells }) => cells.length > path.length && path.every((one, i) => same(one, cells[i])) && same(cells[path.length], place)
  if (picked.length && moves.some(move => goesOn(picked, move))) return 'target'
  return moves.some(move => goesOn([], move)) ? 'source' : null
}

export function same (one, other) {
  return one.every((part, i) => part === other[i])
}

// The colours of a board's edges, in games in which each role connects two of them.
function sides ({ sides, columns, rows }, x, y) {
  if (sides?.length !== 2) return []
  const across = x === 0 ? 'side-left' : x === columns.length - 1 ? 'side-right' : ''
  const up = y === 0 ? 'side-top' : y === rows.length - 1 ? 'side-bottom' : ''
  return [across, up, across ? `tint-${sides[0]}` : up ? `tint-${sides[1]}` : ''].filter(Boolean)
}

function legend (grids) {
  const named = Object.entries(Object.assign({}, ...grids.map(({ symbols }) => symbols))).filter(([content, { blank, label, said, bits }]) =>
    !blank && said && !bits && label !== content && !/^\d/.test(label))
  if (!named.length || named.length > 12) return null
  const meant = new Map()
  for (const [content, { label }] of named) meant.set(label, [...meant.get(label) ?? [], content])
  return h('p', { class: 'legend soft' }, [...meant].map(([label, contents]) => `${label} is ${contents.join(' or ')}`).join(', '))
}

// Moves the focus to the nearest button in the direction of an arrow key.
function walk (event) {
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
  const from = event.target.closest('[data-x]')
  if (!way || !from) return
  event.preventDefault()
  const middle = button => {
    const { left, right, top, bottom } = button.getBoundingClientRect()
    return [(left + right) / 2, (top + bottom) / 2]
  }
  const [x, y] = middle(from)
  let [nearest, distance] = [null, Infinity]
  for (const button of event.currentTarget.querySelectorAll('[data-x]')) {
    const [dx, dy] = [middle(button)[0] - x, middle(button)[1] - y]
    const [along, beside] = [dx * way[0] + dy * way[1], Math.abs(dx * way[1] + dy * way[0])]
    if (along > 2 && along + 100 * beside < distance) [nearest, distance] = [button, along + 100 * beside]
  }
  nearest?.focus()
}

// Lets Tab reach only one button of the boards: the button that last had the focus.
function rove (event) {
  if (!event.target.matches('[data-x]')) return
  for (const button of event.currentTarget.querySelectorAll('[data-x]')) button.tabIndex = button === event.target ? 0 : -1
}
