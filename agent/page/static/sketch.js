// Small pictures of positions, drawn when they become visible.
import { h, show } from './dom.js'
import { board } from './board.js'

// Returns a placeholder; `load()` returns the picture, or null, when it becomes visible.
export function sketch (load) {
  const place = h('div', { class: 'sketch', inert: true })
  const seen = new IntersectionObserver(async ([{ isIntersecting }]) => {
    if (!isIntersecting) return
    seen.disconnect()
    const picture = await load().catch(() => null)
    if (picture) show(place, picture.grids.length ? board(bare(picture)) : board(picture))
  }, { rootMargin: '200px' })
  seen.observe(place)
  return place
}

// Draws a picture with at most four boards and nothing else.
function bare (picture) {
  return { ...picture, others: {}, trays: [], pots: [], counters: [], moved: [], grids: picture.dense ? picture.grids : picture.grids.slice(0, 4) }
}
