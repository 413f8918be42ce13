// Panel of a study: the annotations of the position, and what can be saved: the study as a file or a link, and a picture.
import { animationPanel, rastered, save } from './animation.js'
import { copyLink } from './copylink.js'
import { h } from './dom.js'
import { get, post, sentence } from './net.js'
import { MARKS, readStudy, replay, studyOf } from './notes.js'
import { spelled } from './words.js'

const MEANT = { '!!': 'brilliant', '!': 'good', '!?': 'interesting', '?!': 'doubtful', '?': 'mistake', '??': 'blunder' }

// Opens a study as a new analysis; `told` hears how many positions are done. Returns the tree and the notes.
export async function openStudy (text, told = () => {}) {
  const study = readStudy(text)
  const opened = await post('api/analysis', { rules: study.rules, name: study.title })
  const address = `api/analysis/${opened.key}`
  const notes = await replay(study, (what, body) => post(`${address}/${what}`, body), told)
  return { opened: await get(address), notes }
}

export async function keptStudy (key) {
  return (await get(`api/studies/${encodeURIComponent(key)}`)).study
}

// `changed(structure)` is called after a change; `structure`: branches were moved or deleted.
export function studyPanel ({ opened, address, tree, at, picture, go, changed, refuse }) {
  const { parent } = tree.get(at)
  const note = tree.notes.get(at) ?? {}
  const set = (changes, structure = false) => { tree.annotate(at, changes); changed(structure) }
  const mark = h('select', { id: 'mark', onchange: () => set({ mark: mark.value }) }, MARKS.map(one => h('option', { value: one }, one ? `${one} ${MEANT[one]}` : 'no mark')))
  mark.value = note.mark ?? ''
  const name = h('input', { id: 'branch-name', maxlength: 80, autocomplete: 'off', value: note.name ?? '', oninput: () => set({ name: name.value.trim() }) })
  const comment = h('textarea', { id: 'comment', rows: 3, maxlength: 4000, oninput: () => set({ comment: comment.value.trim() }) })
  comment.value = note.comment ?? ''
  const button = (text, call) => h('button', { type: 'button', class: 'quiet', 'data-key': text, onclick: call }, text)
  const among = parent === null ? [] : tree.childrenOf(parent)

  function remove () {
    tree.annotate(at, { gone: true })
    changed(true)
    go(parent ?? 0)
  }

  async function study () {
    const { title, rules } = await get(`${address}/rules`)
    for (const root of tree.roots) if (root && !tree.get(root).facts) tree.add(await get(`${address}/nodes/${root}`))
    return JSON.stringify(studyOf({ title, roles: opened.roles }, rules, tree), null, 1)
  }

  const attempt = call => async () => { try { await call() } catch (error) { refuse(error) } }
  const file = text => opened.title.replace(/[^\w-]+/g, '_') + text
  const frames = () => tree.whole(at).map(({ node, step, joint }) => ({ svg: `${address}/nodes/${node}/svg`, text: joint.length ? `${step}. ${spelled(joint, picture)}` : '' }))
  const drawing = () => get(`${address}/nodes/${at}/svg`).then(({ svg }) => svg)
  return h('details', { class: 'study', open: folded.open, ontoggle: event => { folded.open = event.currentTarget.open } }, h('summary', { 'data-key': 'study' }, 'Notes and study'), h('div', { class: 'setup' },
    h('div', { class: 'fields' }, h('div', { class: 'field' }, h('label', { for: 'mark' }, 'Mark of this move'), mark), h('div', { class: 'field' }, h('label', { for: 'branch-name' }, 'Name of this branch'), name)),
    h('div', { class: 'field' }, h('label', { for: 'comment' }, 'Comment'), comment),
    h('p', { class: 'actions' }, among.length > 1 && among[0] !== at && button('Promote this branch', () => { tree.promote(at); changed(true) }), at !== 0 && button('Delete from here', remove)),
    h('p', { class: 'actions' }, button('Save the study', attempt(async () => save(file('-study.json'), new Blob([await study()], { type: 'application/json' })))),
      copyLink(async () => `#/analysis/study/${(await post('api/studies', { study: await study() })).study}`, 'Copy a link to the study')),
    h('p', { class: 'actions' }, button('Save the position as SVG', attempt(async () => save(file('.svg'), new Blob([await drawing()], { type: 'image/svg+xml' })))),
      button('Save as PNG', attempt(async () => save(file('.png'), await rastered(await drawing()))))),
    animationPanel(file(''), frames)))
}

const folded = { open: false } // whether the panel is open, for all positions

// A field for a study from a file; `enter` gets the opened study.
export function studyField (enter, refuse) {
  const said = h('p', { class: 'soft', role: 'status' })
  const field = h('input', { id: 'study', type: 'file', accept: '.json,application/json', onchange: async () => {
    try {
      if (field.files[0]) enter(await openStudy(await field.files[0].text(), (done, of) => { said.textContent = `${done} of ${of} positions` }))
    } catch (error) {
      refuse(new Error(sentence(error.message)))
    }
    field.value = '' // so that the same file can be chosen again
  } })
  return h('div', { class: 'field' }, h('label', { for: 'study' }, 'or a study of this page from a file'), field, said)
}
