// Learn from your mistakes: shows the position before each mistake of a role, and asks for a better move.
import { h } from './dom.js'
import { accuracy, isGood, kindOf, losses, sharpness } from './lessons.js'
import { isChance } from './roles.js'
import { words } from './words.js'

export const LEARN = 'ggp-agent learn' // key of the role whose mistakes in a match are to be shown

// `ways`: tree, roles, go(node), draw(), picture() of the position that is shown, point(cells of the best moves).
export function teacher (ways) {
  const { tree, roles } = ways
  let found = null // the losses of the line; null if it was not searched
  let sharp = 1
  let asked = null // the role whose mistakes are asked
  let number = 0 // the mistake that is asked
  let phase = null // ask, wrong, right, told; null: only the report is shown
  let tried = '' // the last move that was tried

  const mistakes = () => (found ?? []).filter(({ role, loss }) => role === asked && kindOf(loss, sharp))
  const here = () => mistakes()[number]

  function ask (to) {
    [number, phase, tried] = [to, 'ask', '']
    ways.go(here().at)
  }

  function set (to) {
    phase = to
    ways.draw()
  }

  return {
    get state () { return [found?.length ?? null, asked, number, phase, tried] },
    get hides () { return phase === 'ask' || phase === 'wrong' },
    // Judges a line whose positions were searched; `role` is the role to teach, if known.
    judge (line, role) {
      found = losses(tree, line, roles)
      sharp = sharpness(found)
      const worst = [...found].sort((one, other) => other.loss - one.loss)[0]
      asked = role ?? worst?.role ?? null
      phase = null
    },
    // Whether the answer was taken as an answer to the question.
    answers (move, at) {
      if (phase === null || phase === 'told' || !here() || here().at !== at) return false
      tried = move
      const moves = tree.get(at).figures[asked].moves
      set(move !== here().played && isGood(moves, move, sharp) ? 'right' : 'wrong')
      return true
    },
    // The role whose better move is asked in a position.
    roleAt (at) { return phase !== null && here()?.at === at ? asked : undefined },
    leave (at) {
      if (phase !== null && here()?.at !== at) phase = null
    },
    card () {
      if (!found) return null
      return h('section', { class: 'card lessons' }, h('h2', {}, 'Learn from your mistakes'), phase === null ? report() : question())
    }
  }

  function report () {
    const players = roles.map((name, role) => ({ name, role })).filter(({ name, role }) => !isChance(name) && found.some(one => one.role === role))
    if (!players.length) return h('p', {}, 'No move of this line could be judged.')
    const many = (role, name) => found.filter(one => one.role === role && kindOf(one.loss, sharp)?.name === name).length
    return [
      h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Accuracy' }, h('table', { class: 'moves' },
        h('thead', {}, h('tr', {}, ['role', 'accuracy', 'inaccuracies', 'mistakes', 'blunders'].map(name => h('th', { scope: 'col' }, name)))),
        h('tbody', {}, players.map(({ name, role }) => h('tr', {}, h('th', { scope: 'row' }, name),
          h('td', { class: 'number' }, `${accuracy(found.filter(one => one.role === role), sharp)}%`),
          ['inaccuracy', 'mistake', 'blunder'].map(kind => h('td', { class: 'number' }, many(role, kind)))))))),
      players.length > 1 && h('p', { class: 'actions', role: 'group', 'aria-label': 'Whose mistakes' }, players.map(({ name, role }) => h('button', { type: 'button', class: 'quiet', 'data-key': `teach ${role}`, 'aria-pressed': role === asked ? 'true' : 'false', onclick: () => { asked = role; ways.draw() } }, name))),
      mistakes().length ? h('ol', { class: 'mistakes' }, mistakes().map((one, i) => h('li', {}, h('button', { type: 'button', class: 'link', 'data-key': `mistake ${i}`, onclick: () => ask(i) }, `Step ${one.step}: ${words(one.played, ways.picture())} ${kindOf(one.loss, sharp).sign}`), h('span', { class: 'soft' }, ` ${kindOf(one.loss, sharp).name}, ${Math.round(one.loss)} points lost`))))
        : h('p', {}, players.some(({ role }) => role === asked) ? `No mistake of ${roles[asked]} in this line.` : `No move of ${roles[asked]} in this line could be judged.`),
      mistakes().length > 0 && h('p', { class: 'actions' }, h('button', { type: 'button', class: 'primary', 'data-key': 'learn', onclick: () => ask(0) }, 'Find better moves'))]
  }

  function question () {
    const one = here()
    const said = move => words(move, ways.picture())
    const played = `${roles[asked]} played ${said(one.played)}, ${kindOf(one.loss, sharp).name}.`
    const text = {
      ask: `${played} Find a better move.`,
      wrong: `${said(tried)} is not better. Try again.`,
      right: `${said(tried)} is a good move. ${played}`,
      told: `Best was ${said(one.best.move)}, with ${Math.round(one.best.value)} expected points.`
    }[phase]
    const button = (name, key, onclick, kind = 'quiet') => h('button', { type: 'button', class: kind, 'data-key': key, onclick }, name)
    return [h('p', { role: 'status' }, text), h('p', { class: 'soft' }, `Mistake ${number + 1} of ${mistakes().length}`),
      h('p', { class: 'actions' },
        (phase === 'ask' || phase === 'wrong') && button('Show the best move', 'show best', () => set('told')),
        phase === 'right' && button('Retry', 'retry', () => ask(number)),
        number + 1 < mistakes().length && button('Next mistake', 'next mistake', () => ask(number + 1), 'primary'),
        button('Back to the report', 'back to report', () => set(null)))]
  }
}
