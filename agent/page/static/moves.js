// Moves on a board: arrows of the last moves, sliding pieces, dragging, and a choice between several moves.
import { h, svg } from './dom.js'
import { glyph } from './glyph.js'

const FAR = 6 // pixels of movement after which a press is a drag
const MANY = 16 // maximum choices in the popup; more are only listed
const SLIDE = 220 // milliseconds
const GAP = 0.5 // gap in cells between the centre of the target and the arrow
const TIP = 0.12 // overlap in cells of the line and the tip

const alike = (one, other) => one.every((part, i) => part === other[i])
const goesOn = (path, { cells }) => cells.length > path.length && path.every((one, i) => alike(one, cells[i]))

// Returns the only possible first cell as a path; an empty path if there is a choice.
export function begun (moves) {
  const first = moves[0]?.cells[0]
  return moves.length && moves.every(({ cells }) => cells.length > 1 && alike(cells[0], first)) ? [first] : []
}

// Draws arrows for the last moves from cell to cell; `moved` comes from `agent.boards.trail`. An arrow ends before the piece
// at its target: the rest of the way is a gap in the line.
export function arrows (moved, grid, middle, [wide, high]) {
  const long = moved.filter(({ cells }) => cells.length > 1)
  if (!long.length) return ''
  return svg('svg', { class: 'arrows', viewBox: `0 0 ${wide} ${high}`, 'aria-hidden': 'true' }, long.map(({ cells, last }) => {
    const points = cells.map(middle)
    const [[fromX, fromY], [x, y]] = points.slice(-2)
    const turn = Math.atan2(y - fromY, x - fromX) * 180 / Math.PI
    const far = Math.hypot(x - fromX, y - fromY) || 1
    const gap = Math.min(GAP, far / 2) / far
    const whole = points.slice(1).reduce((sum, [px, py], i) => sum + Math.hypot(px - points[i][0], py - points[i][1]), 0)
    return svg('g', { class: last ? 'latest' : 'earlier' },
      svg('path', { d: points.map(([px, py], i) => `${i ? 'L' : 'M'}${px} ${py}`).join(''), 'stroke-dasharray': `${Math.max(whole - gap * far - TIP, 0)} ${whole}` }),
      svg('path', { class: 'tip', d: 'M.12 0L-.16 .16L-.16 -.16Z', transform: `translate(${x - (x - fromX) * gap} ${y - (y - fromY) * gap}) rotate(${turn})` }))
  }))
}

let slid = '' // the last animation, so that a redrawn board does not repeat it

// Animates moved pieces, unless the visitor prefers reduced motion.
export function slide (boards, picture, before) {
  const said = JSON.stringify([picture.step, picture.moved])
  if (!before || !picture.moved?.length || said === slid || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  slid = said
  requestAnimationFrame(() => picture.moved.forEach(({ cells }) => {
    const [g, x, y] = cells[0]
    const content = before.grids[g]?.cells[y]?.[x]
    const to = content && cells.findLast(([board, column, row]) => picture.grids[board].cells[row][column] === content)
    if (to && !alike(to, cells[0])) glide(at(boards, cells[0]), at(boards, to))
  }))
}

function at (boards, place) {
  return boards.querySelector(`[data-place="${place.join(' ')}"]`)
}

function glide (from, to) {
  const mark = to?.querySelector('.mark')
  if (!mark || !from) return
  const [start, end] = [from.getBoundingClientRect(), to.getBoundingClientRect()]
  to.classList.add('moving')
  const side = to.closest('.turned') ? -1 : 1
  const away = `translate(${side * (start.left - end.left)}px, ${side * (start.top - end.top)}px)`
  mark.animate([{ transform: away }, { transform: 'none' }], { duration: SLIDE, easing: 'ease-out' })
    .finished.catch(() => {}).then(() => to.classList.remove('moving'))
}

// Drags a piece from its cell to a possible target; dropped anywhere else, the piece returns to its cell.
export function dragging (event, chooser) {
  const cell = event.target.closest?.('[data-place]')
  const place = cell?.dataset.place.split(' ').map(Number)
  if (!chooser || !place || event.button) return
  const last = chooser.picked.at(-1)
  const path = last && alike(last, place) ? chooser.picked : [place]
  if (!chooser.moves.some(move => goesOn(path, move))) return
  let ghost = null
  const boards = cell.closest('.boards')
  const aims = chooser.moves.filter(move => goesOn(path, move)).map(({ cells }) => at(boards, cells[path.length])).filter(Boolean)
  const moveOn = ({ clientX, clientY }) => {
    if (!ghost && Math.hypot(clientX - event.clientX, clientY - event.clientY) < FAR) return
    ghost ??= lifted(cell, aims)
    ghost.style.left = `${clientX}px`
    ghost.style.top = `${clientY}px`
  }
  const stop = () => {
    document.removeEventListener('pointermove', moveOn)
    document.removeEventListener('pointerup', drop)
    document.removeEventListener('pointercancel', stop)
    cell.classList.remove('lifted')
    for (const aim of aims) aim.classList.remove('aim')
    ghost?.remove()
  }
  const drop = ({ clientX, clientY }) => {
    stop()
    const target = ghost && document.elementFromPoint(clientX, clientY)?.closest('[data-place]')?.dataset.place.split(' ').map(Number)
    if (!target || alike(target, place) || !chooser.moves.some(move => goesOn(path, move) && alike(move.cells[path.length], target))) return
    if (path === chooser.picked) return chooser.pick(target)
    chooser.pick(place)
    chooser.pick(target)
  }
  document.addEventListener('pointermove', moveOn)
  document.addEventListener('pointerup', drop)
  document.addEventListener('pointercancel', stop)
}

function lifted (cell, aims) {
  for (const aim of aims) aim.classList.add('aim')
  const ghost = h('div', { class: 'dragged', style: { '--cell': `${cell.offsetWidth}px` } })
  const mark = cell.querySelector('.mark')
  if (mark) ghost.append(mark.cloneNode(true))
  document.body.append(ghost)
  cell.classList.add('lifted')
  return ghost
}

// A popup with the moves that fit the clicked cells.
export function choices (grid, g, chooser) {
  const offered = chooser?.offered
  if (!offered || offered.length > MANY || chooser.picked.at(-1)?.[0] !== g) return null
  const words = offered.map(({ move }) => move.replace(/[()]/g, '').split(' '))
  const differs = words[0].map((word, i) => words.some(other => other[i] !== word || other.length !== words[0].length))
  const owner = grid.symbols[grid.cells[chooser.picked[0][2]][chooser.picked[0][1]]]?.owner
  return h('div', { class: 'popup', role: 'group', 'aria-label': 'Choose one of these moves' }, offered.map(({ move }, i) => {
    const said = words[i].filter((_, index) => differs[index] ?? true)
    const picture = said.length === 1 ? pictured(said[0], grid.symbols, owner) : null
    return h('button', { type: 'button', class: 'quiet', 'aria-label': move, 'data-key': `cell ${chooser.picked.at(-1).join(' ')} ${move}`, onclick: () => chooser.play(move) },
      picture ?? (said.join(' ') || move))
  }))
}

// Returns the piece of the moving role that a word of a move names.
function pictured (word, symbols, owner) {
  const named = symbols[word] ? word : Object.keys(symbols).find(content =>
    symbols[content].owner === owner && symbols[content].glyph?.split('.')[1] === word.toLowerCase())
  return named ? glyph(named, symbols[named]) : null
}
