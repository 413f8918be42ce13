// Moves in the words of the board: `(move e 2 e 4)` is e2–e4, `(mark 1 3)` is mark at 1,3, `(take a 2)` is take 2 from a.
import { h } from './dom.js'

const MOVING = new Set(['move', 'go', 'step', 'play']) // names that need not be said if two cells are named
const PLACING = new Set(['mark', 'place', 'put', 'drop', 'play', 'set', 'lay', 'add', 'write', 'move'])
const TAKING = new Set(['take', 'remove', 'reduce', 'subtract', 'draw'])

// Returns the words of a move; `picture` is a position of its game.
export function words (move, picture) {
  if (!move.startsWith('(')) return move === 'noop' ? 'pass' : spaced(move)
  if (/[()]/.test(move.slice(1, -1))) return move
  const [name, ...rest] = move.slice(1, -1).split(' ')
  const grids = picture?.grids ?? []
  const [cells, before, after] = parted(rest, grids, picture?.starts?.[name] ?? 0)
  const verb = spaced(name)
  if (cells.length > 1) return [MOVING.has(name) ? '' : verb, ...before, cells.join('–'), ...after].filter(Boolean).join(' ')
  if (cells.length) return [verb, ...before, ...after, PLACING.has(name) ? 'at' : '', cells[0]].filter(Boolean).join(' ')
  if (rest.length === 1 && PLACING.has(name) && grids.length === 1 && grids[0].columns.includes(rest[0])) return `${verb} in column ${short(rest[0])}`
  const many = rest.findLastIndex(word => /^\d+$/.test(word))
  if (rest.length === 2 && TAKING.has(name) && many >= 0) return `${verb} ${rest[many]} from ${pile(rest[1 - many], picture)}`
  return [verb, ...rest].join(' ')
}

// A move as an element, with the rulesheet's own term as its tooltip.
export function term (move, picture) {
  return h('span', { title: move }, words(move, picture))
}

// The moves of a joint move, without those that do nothing.
export function spelled (joint, picture) {
  const made = joint.filter(move => move !== 'noop')
  return (made.length ? made : joint).map(move => words(move, picture)).join(' · ')
}

// Splits arguments into cells, words before the first cell, and words after it.
function parted (rest, grids, start) {
  const [cells, before, after] = [[], rest.slice(0, start), []]
  for (let i = start; i < rest.length; i++) {
    const found = grids.map(grid => cellAt(rest, i, grid)).find(Boolean)
    if (found) cells.push(found.name)
    else (cells.length ? after : before).push(rest[i])
    if (found) i += found.length - 1
  }
  return [cells, before, after]
}

function cellAt (rest, i, { columns, rows, spots, spelling }) {
  const [one, other] = [rest[i], rest[i + 1]]
  if (spots?.length) {
    if (columns.includes(one)) return { name: one, length: 1 }
    return columns.includes(`${one} ${other}`) ? { name: `${one} ${other}`, length: 2 } : null
  }
  if (spelling === 'joined') return /^[a-z]+\d+$/i.test(one) && rows.some(row => columns.some(column => column + row === one)) ? { name: one, length: 1 } : null
  if (spelling === 'other' || other === undefined) return null
  const [column, row] = spelling === 'rows' ? [other, one] : [one, other]
  return columns.includes(column) && rows.includes(row) ? { name: cellName(column, row), length: 2 } : null
}

// A letter and a number are joined, as in e4; two numbers are separated.
function cellName (column, row) {
  const [x, y] = [short(column), short(row)]
  return /^[a-z]$/i.test(x) !== /^[a-z]$/i.test(y) ? x + y : `${x},${y}`
}

function short (name) {
  return name.replace(/^[a-z]+-?(?=\d+$)/i, '')
}

function pile (word, picture) {
  const named = (picture?.counters ?? []).find(([name]) => name.split(' ').at(-1) === word)
  return spaced(named?.[0] ?? `pile ${word}`)
}

function spaced (name) {
  return name.replace(/[_-]/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}
