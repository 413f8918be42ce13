// Links: a fragment names a view and what it shows, so that a game, a position or a match can be sent to somebody.
//   #/play/game/NAME                            the form, with that game chosen
//   #/history/MATCH/STEP                        a match, at a step
//   #/analysis/game/NAME/MOVES                  a position of a bundled game
//   #/analysis/url/ADDRESS/MOVES                the same, of rules at an address
//   #/analysis/match/MATCH/STEP                 a position of a match that this agent knows
// MOVES are joint moves with `;` between, the moves of each with `,` between.

export function movesOf (text) {
  return text ? text.split(';').map(joint => joint.split(',')) : []
}

export function textOf (joints) {
  return joints.map(joint => joint.join(',')).join(';')
}

// What an analysis is about, from the parts of a fragment after its view; null where they name nothing.
export function askedOf ([kind, name, rest]) {
  const record = sessionStorage.getItem('ggp-agent record') // a match of a tournament's files
  if (kind === 'record') return record && { from: JSON.parse(record) }
  if (!name) return null
  if (kind === 'match') return { from: { match: Number(name) }, ...(rest ? { step: Number(rest) } : {}) }
  if (kind === 'game' || kind === 'url') return { from: { [kind]: decodeURIComponent(name), moves: movesOf(decodeURIComponent(rest ?? '')) } }
  return null
}

// The link to a position by the line that leads to it; null where no link can tell of it.
export function linkOf (told, asked, line) {
  const source = told.source
  if (!source || line[0].node !== 0 || line.some(({ passed }) => passed)) return null
  const moves = encodeURIComponent(textOf(line.slice(1).map(({ joint }) => joint)))
  for (const kind of ['game', 'url']) if (source[kind]) return `#/analysis/${kind}/${encodeURIComponent(source[kind])}${moves ? `/${moves}` : ''}`
  return asked?.from.match && asked.from.match === source.match && line.every(({ node }, i) => node === i) ? `#/analysis/match/${source.match}/${line.length - 1}` : null
}
