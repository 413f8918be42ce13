// Plots of a report as SVG in the page's colours.
import { svg } from './dom.js'

const [WIDE, LABEL, ROW, FOOT] = [640, 210, 26, 24] // in units of the drawing
const BARS = 40 // maximum bars of a histogram

function frame (name, high, ...inside) {
  return svg('svg', { class: 'plot', viewBox: `0 0 ${WIDE} ${high}`, role: 'img', 'aria-label': name }, inside)
}

// Draws a dot with its interval for each { name, value, low, high }, on an axis that contains `ticks`.
export function bars (name, rows, ticks) {
  const all = [...ticks, ...rows.flatMap(({ value, low, high }) => [low ?? value, high ?? value])]
  const [least, most] = [Math.min(...all), Math.max(...all)]
  const x = value => LABEL + (WIDE - LABEL - 60) * (value - least) / (most - least || 1)
  const high = ROW * rows.length + FOOT
  return frame(`${name}: ${rows.map(({ name, value }) => `${name} ${Math.round(value)}`).join('; ')}`, high,
    [...new Set([...ticks, least, most])].filter(tick => ticks.includes(tick) || ticks.every(one => Math.abs(x(one) - x(tick)) > 40)).map(tick => [svg('line', { class: 'rule', x1: x(tick), x2: x(tick), y1: 0, y2: high - FOOT }),
      svg('text', { x: x(tick), y: high - 6, 'text-anchor': 'middle' }, Math.round(tick))]),
    rows.map(({ name, value, low, high }, i) => [
      svg('text', { class: 'label', x: LABEL - 12, y: ROW * i + 18, 'text-anchor': 'end' }, name.length > 28 ? `${name.slice(0, 27)}…` : name),
      svg('line', { class: 'stroke', x1: x(low ?? value), x2: x(high ?? value), y1: ROW * i + 13, y2: ROW * i + 13 }),
      svg('circle', { class: 'dot', cx: x(value), cy: ROW * i + 13, r: 4.5 }),
      svg('text', { x: WIDE - 50, y: ROW * i + 18 }, Math.round(value))]))
}

// Draws how often whole numbers occur.
export function histogram (name, values) {
  const least = values.reduce((one, other) => Math.min(one, other), Infinity)
  const most = values.reduce((one, other) => Math.max(one, other), -Infinity)
  const step = Math.ceil((most - least + 1) / BARS)
  const counts = new Array(Math.floor((most - least) / step) + 1).fill(0)
  for (const value of values) counts[Math.floor((value - least) / step)] += 1
  const [tall, wide, top] = [130, (WIDE - 20) / counts.length, Math.max(...counts)]
  return frame(`${name}: from ${least} to ${most} joint moves, most often ${least + step * counts.indexOf(top)}`, tall + FOOT,
    counts.map((count, i) => svg('rect', { class: 'dot', x: 10 + wide * i, y: tall - tall * count / top, width: wide * 0.9, height: tall * count / top })),
    [...new Set([0, counts.length >> 1, counts.length - 1])].map(i => svg('text', { x: 10 + wide * (i + 0.45), y: tall + 16, 'text-anchor': i ? i === counts.length - 1 ? 'end' : 'middle' : 'start' }, least + step * i)))
}
