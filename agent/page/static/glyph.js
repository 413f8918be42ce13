// Draws a content: a piece, a token with a letter, a number, or text.
import { h, svg } from './dom.js'
import { PIECES } from './pieces.js'

const [INNER, SEEDS] = [8, 22] // seeds in the inner ring around a number, and in both rings
const SIZES = [0, 46, 36, 27, 21] // font size of a token's label, by its length

// `symbol` is an `agent.boards.pieces.Symbol`; returns null for an empty cell.
export function glyph (content, symbol) {
  if (!content || symbol?.blank) return null
  if (!symbol) return text(content, content, 'hue-7')
  if (symbol.glyph === 'seeds') return seeds(content, Number(symbol.label))
  const piece = PIECES[symbol.glyph]
  const tint = typeof symbol.tint === 'string' ? `tint-${symbol.tint}` : `hue-${(symbol.tint ?? 0) % 8}`
  const owner = symbol.owner === null ? 'nobody' : `owner-${symbol.owner}`
  const drawn = symbol.bits ? properties(symbol.bits) : piece ? outlines(piece, symbol) : token(symbol)
  if (!drawn) return text(content, symbol.label, tint)
  const set = symbol.glyph ? `set-${symbol.glyph.replace('.', ' is-')}` : 'set-token'
  return h('span', { class: `mark drawn ${tint} ${owner} ${set}`, 'aria-hidden': 'true', title: content },
    svg('svg', { viewBox: '0 0 100 100' }, drawn))
}

// Draws a number with seeds around it.
function seeds (content, many) {
  const rings = Array.from({ length: Math.min(many, SEEDS) }, (_, i) => {
    const [radius, place, all] = i < INNER ? [27, i, Math.min(many, INNER)] : [43, i - INNER, Math.min(many, SEEDS) - INNER]
    const turn = 2 * Math.PI * place / all - Math.PI / 2
    return svg('circle', { class: 'seed', cx: 50 + radius * Math.cos(turn), cy: 50 + radius * Math.sin(turn), r: 6.5 })
  })
  return h('span', { class: 'mark drawn set-seeds', 'aria-hidden': 'true', title: content }, svg('svg', { viewBox: '0 0 100 100' }, rings,
    svg('text', { class: 'number', x: 50, y: 58, 'text-anchor': 'middle', 'font-size': 24 }, many)))
}

function text (content, label, tint) {
  return h('span', { class: `mark ${tint}`, 'aria-hidden': 'true', title: content, 'data-length': Math.min(label.length, 6) }, label)
}

function outlines (piece, { said, label }) {
  return [
    piece.body && svg('path', { class: 'body', d: piece.body }),
    piece.lines && svg('path', { class: piece.body ? 'lines' : 'strokes', d: piece.lines }),
    piece.text && (readable() ? svg('text', { class: 'sign', x: 50, y: 78, 'text-anchor': 'middle', 'font-size': 50 }, piece.text) : letters(piece.letter)),
    said && label && !(piece.text && !readable()) && letters(label)]
}

let known = null // whether this browser has a font for the characters of pieces

// Two characters that look the same are both drawn as the box for missing characters.
function readable () {
  if (known !== null) return known
  const [one, other] = ['玉', '飛'].map(sign => {
    const canvas = h('canvas', { width: 24, height: 24 })
    const pen = canvas.getContext('2d')
    pen.font = '20px sans-serif'
    pen.fillText(sign, 2, 20)
    return canvas.toDataURL()
  })
  known = one !== other
  return known
}

// Draws a content with an owner or a colour as a disc with its letter.
function token ({ tint, owner, label }) {
  if (owner === null && typeof tint !== 'string') return null
  return [svg('circle', { class: 'body', cx: 50, cy: 50, r: 40 }), letters(label)]
}

function letters (label) {
  const size = SIZES[Math.min(label.length, 4)]
  return svg('text', { class: 'sign', x: 50, y: 50 + size * 0.36, 'text-anchor': 'middle', 'font-size': size }, label.slice(0, 4))
}

// Draws up to four properties at once: dark or light, round or square, tall or low, hollow or not.
function properties (bits) {
  const [dark, square, tall, hollow] = [...bits.padEnd(4, '0')].map(Number)
  const side = tall ? 84 : 52
  const hole = side * 0.42
  const shape = (size, props) => square
    ? svg('rect', { x: 50 - size / 2, y: 50 - size / 2, width: size, height: size, rx: 4, ...props })
    : svg('circle', { cx: 50, cy: 50, r: size / 2, ...props })
  return [shape(side, { class: dark ? 'body dark' : 'body light' }), hollow ? shape(hole, { class: 'inside' }) : null]
}
