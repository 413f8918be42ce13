// Opens the rules of any game in the form for pasted rules.
import { takeUp } from './drafts.js'
import { h } from './dom.js'
import { get, sentence } from './net.js'

// `path` is the endpoint of the rules: of a bundled game, a running game, a match, or an analysis.
export function editButton (path, refuse = () => {}) {
  return h('button', { type: 'button', class: 'quiet', 'data-key': 'edit rules', onclick: () => edit(path).catch(error => refuse(new Error(sentence(error.message)))) }, 'Edit the rules')
}

export async function edit (path) {
  const { title, name, rules } = await get(path)
  takeUp(title ?? name, rules)
  if (location.hash === '#/play/edit') dispatchEvent(new HashChangeEvent('hashchange'))
  else location.hash = '#/play/edit'
}
