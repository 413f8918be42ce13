// Match records in the form of ggp.org: their moves, and the game that they were played with.
import { get } from './net.js'

// What a record tells: the joint moves as the rules spell moves, and of its game the name, the address, the roles and the rules.
export function recordOf (told) {
  if (!Array.isArray(told?.moves)) throw new Error('it has no list of moves')
  const moves = told.moves.map(joint => {
    if (!Array.isArray(joint) || !joint.every(move => typeof move === 'string')) throw new Error('a joint move is a list of texts')
    return joint.map(move => move.replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/ \)/g, ')').trim())
  })
  const text = key => typeof told[key] === 'string' ? told[key] : ''
  return { moves, url: text('gameMetaURL'), game: text('gameName'), rules: text('rulesheet') }
}

// The game of a record as a request names it; null where the record does not tell. Rules in the record come before all else;
// older records name an address, and a bundled game of that name has the same rules.
export async function gameOf ({ url, game, rules }, bundled) {
  if (rules) return await isBundled(game, rules, bundled) ? { game } : { rules, ...(game ? { name: game } : {}) }
  const name = url.split('/').filter(Boolean).filter(word => !/^v\d+$/.test(word)).at(-1)
  if (bundled.includes(name)) return { game: name }
  return url.startsWith('http') ? { url } : null
}

async function isBundled (name, rules, bundled) {
  if (!bundled.includes(name)) return false
  return get(`/api/games/${encodeURIComponent(name)}`).then(told => told.rules.trim() === rules.trim(), () => false)
}
