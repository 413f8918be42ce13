// Match records in the form of ggp.org: moves and game.
import { get } from './net.js'

// Returns the joint moves of a record in the spelling of the rules, and the name, URL and rules of its game.
export function recordOf (parsed) {
  if (!Array.isArray(parsed?.moves)) throw new Error('it has no list `moves`')
  const moves = parsed.moves.map(joint => {
    if (!Array.isArray(joint) || !joint.every(move => typeof move === 'string')) throw new Error('each item of `moves` must be a list of texts')
    return joint.map(move => move.replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/ \)/g, ')').trim())
  })
  const text = key => typeof parsed[key] === 'string' ? parsed[key] : ''
  return { moves, url: text('gameMetaURL'), game: text('gameName'), rules: text('rulesheet') }
}

// Returns the game of a record as request parameters; null if the record does not name its game. Rules in the record have
// priority. Others have a URL instead; a bundled game with the name in the URL may have the same rules.
export async function gameOf ({ url, game, rules }, bundled) {
  if (rules) return await isBundled(game, rules, bundled) ? { game } : { rules, ...(game ? { name: game } : {}) }
  const name = url.split('/').filter(Boolean).filter(word => !/^v\d+$/.test(word)).at(-1)
  if (bundled.includes(name)) return { game: name }
  return url.startsWith('http') ? { url } : null
}

async function isBundled (name, rules, bundled) {
  if (!bundled.includes(name)) return false
  return get(`api/games/${encodeURIComponent(name)}`).then(answer => answer.rules.trim() === rules.trim(), () => false)
}
