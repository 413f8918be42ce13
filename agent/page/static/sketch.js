// Small pictures of positions, drawn when they come into sight.
import { h, show } from './dom.js'
import { board } from './board.js'

// A place for a picture; `load()` gives it, or null, once the place is seen.
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

// A picture without what stands beside the boards, and without more boards than can be seen.
function bare (picture) {
  return { ...picture, others: {}, trays: [], pots: [], counters: [], moved: [], grids: picture.dense ? picture.grids : picture.grids.slice(0, 4) }
}
