// A game against the agent: the form, then the table.
import { h, show } from './dom.js'
import { get, post, sentence } from './net.js'
import { editor } from './editor.js'
import { table } from './table.js'

const KEY = 'ggp-agent table' // the game that this tab plays, for a page that is loaded again

export function play (main, store) {
  let stop = () => {}
  const open = key => {
    sessionStorage.setItem(KEY, key)
    stop()
    stop = table(main, key, (said = '') => { sessionStorage.removeItem(KEY); stop(); stop = form(main, open, said); main.focus() })
    main.focus({ preventScroll: true })
  }
  const before = sessionStorage.getItem(KEY)
  if (before) open(before)
  else stop = form(main, open, '')
  return () => stop()
}

// `said` is shown at once: why a game is not there any more.
function form (main, open, said) {
  let games = []
  let pasted = false
  let timer = 0
  let wanted = null // the role that was chosen by hand
  const problem = h('p', { class: 'problem', role: 'alert' })
  const game = h('select', { id: 'game', onchange: pick })
  const about = h('p', { class: 'soft', id: 'about-game' })
  const role = h('select', { id: 'role', onchange: () => { wanted = role.value } })
  const startClock = h('input', { id: 'start-clock', type: 'number', min: 0.1, max: 3600, step: 'any', value: 3, required: true })
  const playClock = h('input', { id: 'play-clock', type: 'number', min: 0.1, max: 3600, step: 'any', value: 2, required: true })
  const rules = editor(() => { clearTimeout(timer); timer = setTimeout(check, 500) })
  const source = value => h('input', { type: 'radio', name: 'source', value, id: `source-${value}`, ...(value === 'bundled' ? { checked: true } : {}), onchange: () => { pasted = value === 'pasted'; choose() } })
  const fields = {
    bundled: h('div', { class: 'field' }, h('label', { for: 'game' }, 'Game'), game, about),
    pasted: h('div', { class: 'field' }, h('label', { for: 'rules' }, 'Rulesheet'), rules)
  }
  const start = h('button', { class: 'primary' }, 'Begin')
  const place = h('form', { class: 'card setup', onsubmit: begin },
    h('h2', {}, 'Play against the agent'),
    h('fieldset', { class: 'source' }, h('legend', { class: 'hidden' }, 'Where the rules come from'),
      h('label', {}, source('bundled'), ' a bundled game'), h('label', {}, source('pasted'), ' rules that I paste')),
    fields.bundled, fields.pasted,
    h('div', { class: 'fields' },
      h('div', { class: 'field' }, h('label', { for: 'role' }, 'I play'), role),
      h('div', { class: 'field' }, h('label', { for: 'start-clock' }, 'It prepares, seconds'), startClock),
      h('div', { class: 'field' }, h('label', { for: 'play-clock' }, 'It thinks, seconds a move'), playClock)),
    problem,
    h('p', { class: 'actions' }, start, h('span', { class: 'soft' }, 'You may think as long as you like.')))
  main.replaceChildren(h('div', { class: 'view narrow' }, place))

  function choose () {
    fields.bundled.hidden = pasted
    fields.pasted.hidden = !pasted
    problem.textContent = ''
    if (pasted) check()
    else pick()
  }

  function pick () {
    const chosen = games.find(({ name }) => name === game.value)
    about.textContent = chosen ? `${chosen.description}.` : ''
    offer(chosen?.roles ?? [])
  }

  function offer (roles) {
    const mine = roles.filter(name => name !== 'random')
    show(role, mine.map(name => h('option', { value: `as ${name}` }, name)), h('option', { value: 'nobody' }, 'nobody; I watch'))
    if ([...role.options].some(({ value }) => value === wanted)) role.value = wanted
  }

  async function check () {
    if (!pasted || !rules.text.trim()) return rules.faults([])
    try {
      const { faults, roles } = await post('/api/check', { rules: rules.text })
      rules.faults(faults)
      offer(roles)
      problem.textContent = ''
    } catch (error) {
      refuse(error)
    }
  }

  async function begin (event) {
    event.preventDefault()
    start.disabled = true
    problem.textContent = ''
    try {
      const asked = { role: role.value.startsWith('as ') ? role.value.slice(3) : null, startClock: Number(startClock.value), playClock: Number(playClock.value) }
      const { key } = await post('/api/play', pasted ? { rules: rules.text, ...asked } : { game: game.value, ...asked })
      open(key)
    } catch (error) {
      refuse(error)
    }
    start.disabled = false
  }

  function refuse (error) {
    if (error.faults?.length) {
      rules.faults(error.faults)
      offer([])
    }
    problem.textContent = sentence(error.message)
  }

  get('/api/games').then(list => {
    games = list
    show(game, games.map(({ name }) => h('option', { value: name }, name)))
    if (games.some(({ name }) => name === 'ticTacToe')) game.value = 'ticTacToe'
    pick()
  }).catch(refuse)
  choose()
  problem.textContent = said
  return () => clearTimeout(timer)
}
