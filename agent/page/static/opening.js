// Opens an analysis by its form or a link, and a closed one again.
import { takeUp } from './drafts.js'
import { h, show } from './dom.js'
import { get, post, sentence } from './net.js'
import { keepNotes } from './notes.js'
import { unpacked } from './packed.js'
import { sourceForm } from './source.js'
import { keptStudy, openStudy, studyField } from './study.js'
import { working } from './working.js'

// The form; `enter` gets the opened analysis. `again()` retries a link that failed, `asked` is its target.
export function form (main, enter, said, again, asked) {
  const problem = h('p', { class: 'problem', role: 'alert' }, said && sentence(said))
  const { game, url } = asked?.from ?? {}
  const source = sourceForm({ records: true, chosen: game ? { kind: 'game', name: game } : url ? { kind: 'url', url } : asked?.brought ? { kind: 'rules' } : null })
  const wait = working('The agent reads the rules …')
  const begin = h('button', { class: 'primary' }, 'Analyse')
  show(main, h('div', { class: 'view narrow' }, h('form', {
    class: 'card setup',
    onsubmit: async event => {
      event.preventDefault()
      begin.disabled = true
      problem.textContent = ''
      try {
        const opened = await wait.during(source.asked().then(asked => post('api/analysis', asked)))
        source.began()
        enter(opened)
      } catch (error) {
        source.refuse(error)
        problem.textContent = sentence(error.message)
      }
      begin.disabled = false
    }
  }, h('h2', {}, 'Analyse a game'), source.place, studyField(({ opened, notes }) => { keepNotes(opened.key, notes); enter(opened) }, error => { problem.textContent = error.message }), wait.place, problem, h('p', { class: 'actions' }, begin,
    again && h('button', { type: 'button', class: 'quiet', onclick: again }, asked ? 'Open the link again' : 'Try again')),
  h('p', {}, h('a', { href: '#/puzzles' }, 'Solve puzzles of a game')))))
  return () => source.close()
}

// Rules in the link are stored like pasted rules.
export async function begun ({ brought, from, study }) {
  if (study) {
    const { opened, notes } = await openStudy(await keptStudy(study))
    keepNotes(opened.key, notes)
    return opened
  }
  if (!brought) return post('api/analysis', from)
  const { title, rules } = await unpacked(brought)
  takeUp(title, rules)
  return post('api/analysis', { ...from, rules, name: title })
}

// Opens a new analysis with the tree of a closed one. `rules` are those that have neither name nor URL. Returns it with the
// notes, and the new number of each position.
export async function reopened ({ source }, tree, rules) {
  const { title, rules: text } = rules ?? {}
  const opened = await post('api/analysis', text ? { rules: text, name: title } : source.game ? { game: source.game } : { url: source.url })
  const address = `api/analysis/${encodeURIComponent(opened.key)}`
  const [numbers, notes] = [new Map(), new Map()]
  async function add (number, parent) {
    const { joint, passed, facts } = tree.get(number)
    if (number && parent === null && !facts) return // a placed position that was never shown since a reload
    const view = !number ? { node: 0 } : parent === null ? await post(`${address}/place`, { facts: facts.join(' ') }) : await post(`${address}/try`, { node: parent, joint: passed ? null : joint })
    numbers.set(number, view.node)
    if (tree.notes.has(number)) notes.set(view.node, tree.notes.get(number))
    for (const child of tree.childrenOf(number)) await add(child, view.node)
  }
  for (const root of tree.roots) await add(root, null)
  return { opened: await get(address), notes, numbers }
}
