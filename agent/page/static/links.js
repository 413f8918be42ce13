// Links: a fragment names a view and its content, so that a game, a position or a match can be shared.
import { session } from './storage.js'
//   #/play/game/NAME                            the form, with that game chosen
//   #/history/MATCH/STEP                        a match, at a step
//   #/analysis/game/NAME/MOVES                  a position of a bundled game
//   #/analysis/url/ADDRESS/MOVES                the same, for rules at a URL
//   #/analysis/rules/DATA/MOVES                 the same, for compressed rules inside the link
//   #/analysis/sheet/KEY/MOVES                  the same, for longer rules, stored by the agent
//   #/play/rules/DATA, #/play/sheet/KEY         the form, with these rules
//   #/analysis/study/KEY                        a study, stored by the agent
//   #/analysis/match/MATCH/STEP                 a position of a match in this agent's history
//   #/analysis/KIND/NAME/MOVES/FACTS            the position after MOVES from the position of these facts
// MOVES are joint moves separated by `;`, with the moves of the roles separated by `,`.

export function movesOf (text) {
  return text ? text.split(';').map(joint => joint.split(',')) : []
}

export function textOf (joints) {
  return joints.map(joint => joint.join(',')).join(';')
}

// Decodes a part of a link; a part that was cut inside a sign stays as it is, so that a message can name it.
export function decoded (text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const NUMBER = /^\d{1,15}$/

// Parses the parts of an analysis link after the view; null if they name nothing.
export function askedOf ([kind, name, rest, facts]) {
  const record = session.getItem('ggp-agent record') // a match of a tournament file
  if (kind === 'record') return record && { from: { ...JSON.parse(record), record: true } }
  if (!name || (kind === 'match' && !NUMBER.test(name))) return null
  if (kind === 'study') return { study: name, from: {} }
  const placed = facts ? { facts: decoded(facts) } : {}
  if (kind === 'match' && facts) return { from: { match: Number(name), moves: movesOf(decoded(rest ?? '')), ...placed } }
  if (kind === 'match') return { from: { match: Number(name) }, ...(rest ? { step: Number(rest) } : {}) }
  if (kind === 'rules' || kind === 'sheet') return { brought: { kind, name }, from: { moves: movesOf(decoded(rest ?? '')), ...placed } }
  if (kind === 'game' || kind === 'url') return { from: { [kind]: decoded(name), moves: movesOf(decoded(rest ?? '')), ...placed } }
  return null
}

// Returns the index of the last position of a line that no move leads to: the initial position, or a placed one.
export function baseOf (line) {
  return line.findLastIndex(({ parent, passed }) => parent === null || passed)
}

// Returns the link to a position by the line that leads to it; null if no link can name it. `rules` is the result of
// `packed` for rules without a name.
export function linkOf (opened, asked, line, rules) {
  const source = opened.source ?? {}
  const base = baseOf(line)
  const { node, facts } = line[base]
  if (node !== 0 && !facts) return null
  const moves = encodeURIComponent(textOf(line.slice(base + 1).map(({ joint }) => joint)))
  const rest = node === 0 ? moves && `/${moves}` : `/${moves}/${encodeURIComponent(facts.join(' '))}`
  for (const kind of ['game', 'url']) if (source[kind]) return `#/analysis/${kind}/${encodeURIComponent(source[kind])}${rest}`
  if (source.match && node !== 0) return `#/analysis/match/${source.match}${rest}`
  if (asked?.from.match && asked.from.match === source.match && line.every(({ node }, i) => node === i)) return `#/analysis/match/${source.match}/${line.length - 1}`
  return rules ? `#/analysis/${rules.kind}/${encodeURIComponent(rules.name)}${rest}` : null
}
