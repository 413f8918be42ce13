// A clock as a bar that runs down by itself.
import { h } from './dom.js'

let offset = 0 // milliseconds that the agent's clock is ahead of ours

export function agree (theirs) {
  offset = theirs - Date.now()
}

export function clockBar (asked, label) {
  const fill = h('span', { class: 'fill' })
  const text = h('span', { class: 'left' })
  const bar = h('div', { class: 'clock', role: 'group', 'aria-label': label }, h('span', { class: 'label' }, label), h('span', { class: 'track' }, fill), text)
  const seconds = asked?.seconds ?? 0
  const tick = () => {
    const left = asked ? Math.max(0, seconds - (Date.now() + offset - asked.at) / 1000) : 0
    fill.style.setProperty('--left', asked ? left / seconds : 0)
    text.textContent = asked ? `${left.toFixed(1)} s` : '–'
    bar.classList.toggle('short', Boolean(asked) && left < seconds / 4)
    if (asked && left > 0 && bar.isConnected) setTimeout(tick, 100)
  }
  queueMicrotask(tick)
  return bar
}
