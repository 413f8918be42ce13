// Board editor of any game: pieces are put on cells, other facts are chosen; all facts are those that the rules allow.
import { board } from './board.js'
import { h, show } from './dom.js'
import { glyph } from './glyph.js'
import { get, post, sentence } from './net.js'

const MANY = 30 // flags up to which their list is open

// `address` is that of the analysis, `facts` the first position to edit; `done(text)` gets the facts of the finished one.
export async function boardEditor (address, facts, done, cancel) {
  const domain = await get(`${address}/domain`)
  const begun = [...facts]
  let now = new Set(facts)
  let asked = 0 // number of pictures that were asked for
  let picture = await drawn()
  const symbols = Object.assign({}, ...picture.grids.map(({ symbols }) => symbols))
  const contents = [...new Set(domain.cells.map(({ content }) => content))].sort((one, other) => blank(other) - blank(one))
  let chosen = contents.find(content => !blank(content)) ?? contents[0]
  const problem = h('p', { class: 'problem', role: 'alert' })
  const stage = h('div', {})
  const rest = h('div', { class: 'fields' })
  const flags = h('div', {})
  const palette = contents.length > 0 && h('fieldset', { class: 'palette' }, h('legend', {}, 'Put on a cell; the same piece again takes it away'),
    contents.map(content => h('label', { class: 'piece' }, h('input', { type: 'radio', name: 'piece', value: content, checked: content === chosen, onchange: () => { chosen = content; draw() } }),
      h('span', { class: 'sample' }, glyph(content, symbols[content])), blank(content) ? `${content} (empty)` : content)))

  function blank (content) {
    return symbols[content]?.blank === true
  }

  function drawn () {
    return now.size ? post(`${address}/draw`, { facts: [...now].join(' ') }) : Promise.resolve(picture)
  }

  async function redraw () {
    const mine = ++asked
    problem.textContent = now.size ? '' : 'A position has at least one fact.'
    try {
      const found = await drawn()
      if (mine === asked) picture = found // else an answer to a later change comes, or has come
    } catch (error) {
      if (mine === asked) problem.textContent = sentence(error.message)
    }
    draw()
  }

  // The facts of one relation in a cell: those that could be there.
  function at (place, layer) {
    return domain.cells.filter(one => one.layer === layer && String(one.place) === String(place))
  }

  function put (place) {
    const wanted = domain.cells.find(one => one.content === chosen && String(one.place) === String(place))
    if (!wanted) return
    const there = at(place, wanted.layer)
    const had = now.has(wanted.fact)
    if (had || !domain.several[wanted.layer]) for (const { fact } of there) now.delete(fact)
    const empty = had && there.find(({ content }) => blank(content))
    if (!had) now.add(wanted.fact)
    else if (empty) now.add(empty.fact)
    redraw()
  }

  function clear () {
    for (const { fact } of domain.cells) now.delete(fact)
    for (const { fact, content } of domain.cells) if (blank(content)) now.add(fact)
    redraw()
  }

  function field ({ name, facts, values }, i) {
    const id = `field-${i}`
    const select = h('select', { id, onchange: () => { for (const fact of facts) now.delete(fact); if (select.value) now.add(select.value); redraw() } },
      h('option', { value: '' }, '–'), facts.map((fact, n) => h('option', { value: fact }, values[n])))
    select.value = facts.find(fact => now.has(fact)) ?? ''
    return h('div', { class: 'field' }, h('label', { for: id }, name), select)
  }

  function flag (fact) {
    return h('li', {}, h('label', {}, h('input', { type: 'checkbox', checked: now.has(fact), onchange: ({ target }) => { if (target.checked) now.add(fact); else now.delete(fact); redraw() } }), ` ${fact}`))
  }

  function draw () {
    const moves = domain.cells.filter(({ content }) => content === chosen).map(({ fact, place }) => ({ move: fact, cells: [place], column: null }))
    show(stage, board(picture, null, { moves, picked: [], pick: put, play: () => {} }))
  }

  function all () {
    draw()
    show(rest, domain.fields.map(field))
    show(flags, domain.flags.length > 0 && h('details', { open: domain.flags.length <= MANY }, h('summary', {}, 'Other facts'), h('ul', { class: 'flags' }, domain.flags.map(flag))))
  }

  const button = (text, call, type = 'quiet') => h('button', { type: 'button', class: type, onclick: call }, text)
  all()
  return h('section', { class: 'card setup boardeditor', 'aria-label': 'Board editor' }, h('h2', { tabindex: -1 }, 'Edit the position'),
    palette, stage, rest, flags, problem,
    h('p', { class: 'actions' }, button('Use this position', () => { if (now.size) done([...now].join(' ')) }, 'primary'),
      contents.length > 0 && button('Clear the board', clear), button('Begin again', () => { now = new Set(begun); redraw().then(all) }), button('Cancel', cancel)))
}
