// The search of a whole line: each position, one after another, for each role with a choice.
import { isChance } from './roles.js'

// `line` of `begin` is a list of entries of the tree: node and choosers.
export function lineSearch (roles) {
  let [current, left] = [null, []] // what is searched now, and what is still to be searched: { node, role }
  return {
    get running () { return current !== null },
    get words () {
      if (!current) return 'Search the whole line'
      const count = new Set(left.map(({ node }) => node).filter(node => node !== current.node)).size
      return count ? `Searching the line, ${count} positions left` : 'Searching the last position of the line'
    },
    begin (line) {
      left = line.flatMap(({ node, choosers }) => searched(choosers).map(role => ({ node, role })))
    },
    // Goes on and returns the position to search now; null: the line was searched.
    next () {
      current = left.shift() ?? null
      return current
    },
    // The role for which the position `node` is searched now, if it is the line's.
    roleAt (node) { return current?.node === node ? current.role : undefined },
    stop () { [current, left] = [null, []] }
  }

  function searched (choosers) {
    const among = list => list.filter(role => !isChance(roles[role]))
    if (!choosers.length) return [0]
    const players = among(choosers).length ? among(choosers) : among([...roles.keys()]) // before chance moves: for all
    return players.length ? players : choosers
  }
}
