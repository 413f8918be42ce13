// Progress message for slow answers, with the elapsed time.
import { h } from './dom.js'

const SOON = 400 // milliseconds after which the message appears
const SLOW = 4000 // milliseconds after which the message explains the delay
const WHY = 'The rules of this game are slow to evaluate: every new position may take this long.'

export function working (what) {
  const place = h('p', { class: 'soft working' })
  const announced = h('span', { class: 'hidden', role: 'status' })
  let asked = 0

  async function during (promise) {
    const began = Date.now()
    asked += 1
    const tick = () => {
      const spent = Date.now() - began
      if (spent >= SOON) {
        place.textContent = `${what} ${(spent / 1000).toFixed(0)} s${spent >= SLOW ? `. ${WHY}` : ''}`
        if (!announced.textContent) announced.textContent = what
      }
    }
    const timer = setInterval(tick, 200)
    try {
      return await promise
    } finally {
      clearInterval(timer)
      asked -= 1
      if (!asked) place.textContent = announced.textContent = ''
    }
  }

  return { place: h('div', { class: 'workplace' }, place, announced), during, get busy () { return asked > 0 } }
}
