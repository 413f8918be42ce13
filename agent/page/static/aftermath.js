// Actions of a game besides moves: hint, take back, swap sides, rematch, analysis.
import { h } from './dom.js'
import { copyLink } from './copylink.js'
import { editButton } from './edit.js'
import { textOf } from './links.js'
import { get, post } from './net.js'
import { packed } from './packed.js'
import { isChance } from './roles.js'
import { session } from './storage.js'
import { LEARN } from './teacher.js'

// `ways` has the functions leave(), open(key), away(), hint(), refuse(error) and joints(), and the last hint, `hinted`.
export function after (data, key, ways) {
  const over = data.phase === 'over' || data.phase === 'left'
  const step = data.position.step
  const mine = data.person === null ? null : data.roles[data.person]
  const others = data.roles.filter((name, role) => role !== data.person && !isChance(name))
  const button = (text, onclick, kind = 'quiet') => h('button', { type: 'button', class: kind, 'data-key': text, onclick }, text)
  const again = (role, from) => async () => {
    try {
      const { key: next } = await post(`api/play/${encodeURIComponent(key)}/again`, { role, step: from })
      ways.open(next)
    } catch (error) {
      ways.refuse(error)
    }
  }
  const back = data.back ?? null
  const continues = !data.hides && !(data.remote && step)
  const rules = `api/play/${encodeURIComponent(key)}/rules`
  const shared = [
    editButton(rules, ways.refuse),
    (!data.hides || over) && ways.joints() && copyLink(async () => linkTo(data.game ? { kind: 'game', name: data.game } : await packed(await get(rules)), ways.joints()), 'Copy a link to this position')
  ]
  if (over) {
    return [
      data.key > 0 && h('a', { class: 'button', href: `#/history/${data.key}`, onclick: () => ways.leave() }, 'Replay it'),
      data.key > 0 && h('a', { class: 'button quiet', href: `#/analysis/match/${data.key}`, onclick: () => ways.leave() }, 'Analyse it'),
      data.key > 0 && step > 0 && mine !== null && h('a', { class: 'button quiet', href: `#/analysis/match/${data.key}`, onclick: () => { session.setItem(LEARN, mine); ways.leave() } }, 'Learn from your mistakes'),
      button('Rematch', again(mine, 0)),
      mine !== null && others.length === 1 && button(`Rematch as ${others[0]}`, again(others[0], 0)),
      data.phase === 'left' && mine !== null && continues && button('Continue this game', again(mine, step)),
      back !== null && button('Take back', again(mine, back)),
      ...shared,
      button('Play another', () => ways.leave(), 'primary')
    ]
  }
  return [
    data.phase === 'person' && !data.hides && button('Hint', ways.hint),
    data.phase === 'person' && back !== null && button('Take back', again(mine, back)),
    data.phase === 'person' && continues && others.length === 1 && button('Swap sides', again(others[0], step)),
    ...shared,
    button('Leave the game', ways.away),
    ways.hinted?.step === step && h('p', { class: 'soft', role: 'status' }, ways.hinted.text)
  ]
}

function linkTo ({ kind, name }, joints) {
  return `#/analysis/${kind}/${encodeURIComponent(name)}${joints.length ? `/${encodeURIComponent(textOf(joints))}` : ''}`
}
