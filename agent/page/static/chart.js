// Line chart over time as SVG, of [[seconds, value] ...].
import { count, h, svg } from './dom.js'

const [WIDE, HIGH, LEFT, BOTTOM, TOP] = [420, 150, 46, 22, 10]

export function chart (points) {
  const last = points.at(-1)
  const [from, to] = [points[0][0], Math.max(last[0], points[0][0] + 1)]
  const top = nice(Math.max(...points.map(([, value]) => value), 1))
  const x = seconds => LEFT + (seconds - from) / (to - from) * (WIDE - LEFT - 8)
  const y = value => HIGH - BOTTOM - value / top * (HIGH - BOTTOM - TOP)
  const path = points.map(([seconds, value], i) => `${i ? 'L' : 'M'}${x(seconds).toFixed(1)} ${y(value).toFixed(1)}`).join('')
  const area = `${path}L${x(last[0]).toFixed(1)} ${y(0)}L${x(from).toFixed(1)} ${y(0)}Z`
  return h('figure', { class: 'chart' },
    h('figcaption', {}, 'Playouts per second'),
    svg('svg', { viewBox: `0 0 ${WIDE} ${HIGH}`, role: 'img', 'aria-label': `Playouts per second, now ${count(last[1])}` },
      [0, 0.5, 1].map(part => [
        svg('line', { class: 'rule', x1: LEFT, x2: WIDE - 8, y1: y(part * top), y2: y(part * top) }),
        svg('text', { x: LEFT - 6, y: y(part * top) + 4, 'text-anchor': 'end' }, brief(part * top))]),
      svg('text', { x: LEFT, y: HIGH - 5 }, `${Math.round(from)} s`),
      svg('text', { x: WIDE - 8, y: HIGH - 5, 'text-anchor': 'end' }, `${Math.round(to)} s`),
      svg('path', { class: 'area', d: area }),
      svg('path', { class: 'stroke', d: path }),
      svg('circle', { class: 'now', cx: x(last[0]), cy: y(last[1]), r: 3.5 })))
}

function nice (value) {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 4, 5, 10].map(step => step * power).find(step => step >= value)
}

function brief (value) {
  if (value >= 1e6) return `${+(value / 1e6).toFixed(1)}M`
  return value >= 1e3 ? `${+(value / 1e3).toFixed(1)}k` : `${+value.toFixed(1)}`
}
