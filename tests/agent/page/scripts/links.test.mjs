import assert from 'node:assert/strict'
import { test } from 'node:test'

import { askedOf, baseOf, linkOf, movesOf, textOf } from '../../../../agent/page/static/links.js'
import { packed, unpacked } from '../../../../agent/page/static/packed.js'

const stored = new Map()
globalThis.sessionStorage = { getItem: key => stored.get(key) ?? null }

const start = { node: 0, parent: null, joint: [] }
const line = [start, { node: 1, parent: 0, joint: ['(mark 1 1)', 'noop'] }]
const asked = link => askedOf(link.split('/').slice(2))

test('joint moves survive the way into a link and back', () => {
  const joints = [['(mark 1 1)', 'noop'], ['noop', '(mark 2 2)']]
  assert.deepEqual(movesOf(textOf(joints)), joints)
  assert.deepEqual(movesOf(''), [])
})

test('the link of a position names its game and moves, and is read back', () => {
  const link = linkOf({ source: { game: 'tic tac' } }, null, line)
  assert.equal(link, '#/analysis/game/tic%20tac/(mark%201%201)%2Cnoop')
  assert.deepEqual(asked(link), { from: { game: 'tic tac', moves: [['(mark 1 1)', 'noop']] } })
})

test('the link of a placed position holds its facts, and the moves after it', () => {
  const placed = { node: 5, parent: null, joint: [], facts: ['(cell 1 1 x)', '(control o)'] }
  const after = { node: 6, parent: 5, joint: ['noop', '(mark 2 2)'] }
  const link = linkOf({ source: { game: 'ticTacToe' } }, null, [placed, after])
  assert.deepEqual(asked(link), { from: { game: 'ticTacToe', moves: [['noop', '(mark 2 2)']], facts: '(cell 1 1 x) (control o)' } })
})

test('a link that was cut inside a sign is read as it stands, and raises nothing', () => {
  assert.deepEqual(asked('#/analysis/game/nim%E0%A4'), { from: { game: 'nim%E0%A4', moves: [] } })
  assert.deepEqual(asked('#/analysis/game/nim/%28take%2'), { from: { game: 'nim', moves: [['%28take%2']] } })
})

test('a link with a word in place of the number of a match names nothing', () => {
  for (const link of ['#/analysis/match/zzz/1', '#/analysis/match/1.5', `#/analysis/match/${'9'.repeat(400)}`]) assert.equal(asked(link), null)
  assert.deepEqual(asked('#/analysis/match/12/3'), { from: { match: 12 }, step: 3 })
})

test('a line starts at the last position that no move leads to', () => {
  assert.equal(baseOf(line), 0)
  assert.equal(baseOf([...line, { node: 2, parent: 1, passed: true }]), 2)
})

test('a position of a match has the link of its step', () => {
  const link = linkOf({ source: { match: 7 } }, { from: { match: 7 } }, line)
  assert.equal(link, '#/analysis/match/7/1')
  assert.deepEqual(asked(link), { from: { match: 7 }, step: 1 })
})

test('rules without a name need packed rules, else there is no link', () => {
  assert.equal(linkOf({ source: {} }, null, line), null)
  assert.equal(linkOf({}, null, [start], { kind: 'rules', name: 'a-b' }), '#/analysis/rules/a-b')
})

test('a link of another kind, or without a name, asks for nothing', () => {
  assert.equal(askedOf(['nonsense', 'x']), null)
  assert.equal(askedOf(['game']), null)
  assert.equal(askedOf(['record']), null)
})

test('rules are packed into a link without loss, in any script', async () => {
  const sheet = { title: 'Öde – 日本', rules: '(role white) ; ü\n'.repeat(50) }
  const link = await packed(sheet)
  assert.equal(link.kind, 'rules')
  assert.match(link.name, /^[\w-]+$/)
  assert.deepEqual(await unpacked(link), sheet)
})

test('a cut link of rules is one clear error', async () => {
  const { name } = await packed({ title: 'x', rules: '(role white)' })
  for (const cut of [name.slice(0, -6), '', '!!!']) await assert.rejects(unpacked({ kind: 'rules', name: cut }), /link may be incomplete/)
})
