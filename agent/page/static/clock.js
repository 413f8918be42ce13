// Clock bar that counts down.
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

// Clock that counts up from a time of the agent's clock.
export function spentSince (at, label) {
  const text = h('span', { class: 'left' })
  const clock = h('div', { class: 'clock up' }, h('span', { class: 'label' }, label), h('span', {}), text)
  const tick = () => {
    const seconds = Math.max(0, (Date.now() + offset - at) / 1000)
    text.textContent = seconds < 60 ? `${Math.floor(seconds)} s` : `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
    if (clock.isConnected) setTimeout(tick, 500)
  }
  queueMicrotask(tick)
  return clock
}
