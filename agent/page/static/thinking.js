// Search figures of the agent: its moves with value, visits and share, the expected line, and details of the search.
import { count, h } from './dom.js'
import { chart } from './chart.js'
import { spelled, term, words } from './words.js'

// With `choose(move)` and `follow(joints)`, moves and lines can be clicked. `picture` is a position of the game.
export function thinking (report, { title = 'Search of the agent', rates = report?.rates, picture = null, choose = null, follow = null } = {}) {
  if (!report?.figures) return h('section', { class: 'card' }, h('h2', {}, title), h('p', { class: 'soft' }, 'No search figures.'))
  const figures = report.figures
  return h('section', { class: 'card thinking' },
    h('h2', {}, title),
    report.step > 0 && h('p', { class: 'soft' }, `Position after step ${report.step}.`),
    figures.network && h('p', { class: 'soft' }, `The search uses a trained network (${figures.network}).`),
    figures.evaluation?.length ? h('p', { class: 'soft' }, 'The search uses an evaluation that was learned before the first move.') : null,
    choice(figures, picture, choose),
    figures.moves?.length === 1 ? null : lines(figures, picture, follow),
    figures.factors?.length ? factors(figures.factors, figures.subgames) : null,
    figures.solvers?.length ? solvers(figures.solvers) : null,
    details(figures, rates))
}

// The ranking of the moves. A game split into subgames has one ranking per subgame: moves of different subgames cannot be
// compared, because their values add up.
function choice (figures, picture, choose) {
  if (figures.moves?.length === 1) return h('p', { class: 'soft' }, 'Only one move is legal: ', term(figures.moves[0].move, picture), '.')
  const parts = Array.isArray(figures.parts) ? figures.parts.filter(part => part?.moves?.length) : []
  if (!parts.length) return figures.moves?.length ? moves(figures, picture, choose) : null
  return [
    h('p', {}, 'Best move: ', h('strong', {}, term(figures.best, picture)), figures.reason ? ` (${figures.reason}).` : '.'),
    parts.map((part, i) => h('section', {}, h('h3', {}, `Subgame ${i + 1}: ${part.played ? 'its best move is played' : 'its best move is not played now'}`),
      part.gain > 0 && h('p', { class: 'soft' }, `Its best move gains ${part.gain.toFixed(0)} points compared with no move in this subgame.`),
      i === 0 && h('p', { class: 'soft' }, 'Each move represents all moves with the same effect in the subgame.'),
      moves({ moves: part.moves, label: `Moves of subgame ${i + 1}` }, picture, choose)))]
}

let wanted = false // whether the details are open; remembered when they are redrawn

function details (figures, rates) {
  return h('details', { class: 'details', open: wanted, ontoggle: event => { wanted = event.target.open } },
    h('summary', { 'data-key': 'details' }, 'Details of the search'), numbers(figures), rates?.length > 1 ? chart(rates) : null,
    figures.evaluation?.length ? evaluation(figures.evaluation) : null)
}

// The facts of the position that count most in the learned evaluation.
function evaluation (facts) {
  return h('div', { class: 'factors' }, h('h3', {}, 'What the evaluation sees'),
    h('p', { class: 'soft' }, 'The facts that count most, and what each adds to the logit of the expected result.'),
    h('table', { class: 'moves' }, h('tbody', {}, facts.map(({ fact, weight }) => h('tr', {},
      h('th', { scope: 'row' }, fact), h('td', { class: 'number' }, `${weight < 0 ? '−' : '+'}${Math.abs(weight).toFixed(2)}`))))))
}

function numbers (figures) {
  const rate = figures.seconds > 0 && figures.playouts ? figures.playouts / figures.seconds : null
  const shown = [
    ['playouts', figures.playouts], ['simulations', figures.simulations], ['positions kept', figures.nodes],
    ['playouts per second', rate]
  ].filter(([, value]) => typeof value === 'number')
  return h('dl', { class: 'numbers' },
    shown.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, count(value)))),
    figures.lanes && h('div', {}, h('dt', {}, 'code'), h('dd', {}, figures.lanes)),
    figures.solved && h('div', {}, h('dt', {}, 'position'), h('dd', {}, 'solved')))
}

function moves ({ moves, more, best, label = 'Moves considered' }, picture, choose) {
  const played = best ?? moves[0].move
  const total = moves.reduce((sum, { visits }) => sum + visits, 0)
  const row = ({ move, visits, value, proven }) => {
    const share = total ? visits / total : 0
    return h('tr', { class: move === played ? 'best' : null },
      h('th', { scope: 'row' }, choose ? h('button', { type: 'button', class: 'link', 'data-key': `idea ${move}`, title: move, onclick: () => choose(move) }, words(move, picture)) : term(move, picture)),
      h('td', { class: 'number' }, visits || proven ? value.toFixed(0) : '–', proven && h('span', { class: 'proven', title: 'exact under best play' }, ' proven')),
      h('td', { class: 'number' }, count(visits)),
      h('td', { class: 'share' }, h('span', { class: 'bar', style: { '--share': share } }), h('span', { class: 'percent' }, `${Math.round(share * 100)}%`)))
  }
  const shown = moves.slice(0, 12)
  const left = moves.length - shown.length + (more ?? 0)
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label, 'data-key': label },
    h('table', { class: 'moves' },
      h('thead', {}, h('tr', {}, ['move', 'value', 'visits', 'share'].map(name => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, shown.map(row))),
    left > 0 && h('p', { class: 'soft' }, `and ${left} more moves`))
}

// The best lines, or the expected line if only one is known.
function lines (figures, picture, follow) {
  const shown = figures.lines?.length ? figures.lines : figures.line?.length ? [figures.line] : []
  if (!shown.length) return null
  return h('div', {}, h('h3', {}, shown.length > 1 ? 'Best lines' : 'Expected line'), shown.map((joints, rank) => h('ol', { class: `line idea-${rank}` },
    joints.map((joint, i) => h('li', { title: joint.join(' · ') }, follow
      ? h('button', { type: 'button', class: 'link', 'data-key': `line ${rank} ${i}`, onclick: () => follow(joints.slice(0, i + 1)) }, spelled(joint, picture))
      : spelled(joint, picture))))))
}

// The parts of a game split into subgames: a short text, and the subgames if the player names them.
function factors (value, subgames) {
  const [text, list] = Array.isArray(value) ? [null, value] : [value, subgames ?? []]
  return h('div', { class: 'factors' }, h('h3', {}, 'Subgames'),
    text && h('p', {}, String(text)), list.length ? h('ul', {}, list.map(name => h('li', {}, String(name)))) : null)
}

// The methods for a one-player game, with their results.
function solvers (texts) {
  return h('div', { class: 'factors' }, h('h3', {}, 'Solution methods'),
    h('ul', {}, [texts].flat().map(text => h('li', {}, String(text)))))
}
