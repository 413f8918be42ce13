// Links: a fragment names a view and what it shows, so that a game, a position or a match can be sent to somebody.
//   #/play/game/NAME                            the form, with that game chosen
//   #/history/MATCH/STEP                        a match, at a step
//   #/analysis/game/NAME/MOVES                  a position of a bundled game
//   #/analysis/url/ADDRESS/MOVES                the same, of rules at an address
//   #/analysis/rules/DATA/MOVES                 the same, of rules that the link itself holds, compressed
//   #/analysis/sheet/KEY/MOVES                  the same, of longer rules, which the agent keeps
//   #/play/rules/DATA, #/play/sheet/KEY         the form, with these rules
//   #/analysis/match/MATCH/STEP                 a position of a match that this agent knows
//   #/analysis/KIND/NAME/MOVES/FACTS            one that MOVES lead to from the position of these facts
// MOVES are joint moves with `;` between, the moves of each with `,` between.

export function movesOf (text) {
  return text ? text.split(';').map(joint => joint.split(',')) : []
}

export function textOf (joints) {
  return joints.map(joint => joint.join(',')).join(';')
}

// What an analysis is about, from the parts of a fragment after its view; null where they name nothing.
export function askedOf ([kind, name, rest, facts]) {
  const record = sessionStorage.getItem('ggp-agent record') // a match of a tournament's files
  if (kind === 'record') return record && { from: { ...JSON.parse(record), record: true } }
  if (!name) return null
  const placed = facts ? { facts: decodeURIComponent(facts) } : {}
  if (kind === 'match' && facts) return { from: { match: Number(name), moves: movesOf(decodeURIComponent(rest ?? '')), ...placed } }
  if (kind === 'match') return { from: { match: Number(name) }, ...(rest ? { step: Number(rest) } : {}) }
  if (kind === 'rules' || kind === 'sheet') return { brought: { kind, name }, from: { moves: movesOf(decodeURIComponent(rest ?? '')), ...placed } }
  if (kind === 'game' || kind === 'url') return { from: { [kind]: decodeURIComponent(name), moves: movesOf(decodeURIComponent(rest ?? '')), ...placed } }
  return null
}

// The last position of a line that no move leads to, by its place in the line: the initial one, or one that was placed.
export function baseOf (line) {
  return line.findLastIndex(({ parent, passed }) => parent === null || passed)
}

// The link to a position by the line that leads to it; null where no link can tell of it. `rules` is how a link brings the
// rules where they have no name, as `packed` tells it.
export function linkOf (told, asked, line, rules) {
  const source = told.source ?? {}
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
