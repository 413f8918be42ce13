import assert from 'node:assert/strict'
import { test } from 'node:test'

import { draft, keepDraft, takeUp, use, used } from '../../../../agent/page/static/drafts.js'
import { outcome } from '../../../../agent/page/static/outcome.js'
import { gameOf, recordOf } from '../../../../agent/page/static/record.js'
import { local, session } from '../../../../agent/page/static/storage.js'
import { readAll } from '../../../../agent/page/static/tournament.js'

function storage (room = Infinity) {
  const kept = new Map()
  return {
    getItem: key => kept.get(key) ?? null,
    removeItem: key => kept.delete(key),
    setItem: (key, value) => {
      if (value.length > room) throw new Error('QuotaExceededError')
      kept.set(key, value)
    }
  }
}

test('the moves of a record are spelled as in the rules', () => {
  assert.deepEqual(recordOf({ moves: [['( mark  1 1 )', 'noop']] }).moves, [['(mark 1 1)', 'noop']])
})

test('a record without moves, or with other items, says what is wrong', () => {
  assert.throws(() => recordOf(null), /no list `moves`/)
  assert.throws(() => recordOf({ moves: ['noop'] }), /must be a list of texts/)
})

test('the game of a record is its rules, else a bundled game of its address, else the address', async () => {
  assert.deepEqual(await gameOf({ url: '', game: 'mine', rules: '(role x)' }, []), { rules: '(role x)', name: 'mine' })
  assert.deepEqual(await gameOf({ url: 'http://games.ggp.org/base/games/nim/v0/', game: '', rules: '' }, ['nim']), { game: 'nim' })
  assert.deepEqual(await gameOf({ url: 'http://x.org/other/', game: '', rules: '' }, ['nim']), { url: 'http://x.org/other/' })
  assert.equal(await gameOf({ url: '', game: '', rules: '' }, ['nim']), null)
})

test('a result is said from the point of view of the visitor', () => {
  const roles = ['red', 'blue']
  assert.equal(outcome({ goals: [100, 0], roles }, 0), 'You won.')
  assert.equal(outcome({ goals: [100, 0], roles }, 1), 'You lost.')
  assert.equal(outcome({ goals: [40, 60], roles }, 1), 'You won, 60 to 40.')
  assert.equal(outcome({ goals: [50, 50], roles }, 0), 'Draw.')
  assert.equal(outcome({ goals: [100, 0], roles }, null), 'red won.')
  assert.equal(outcome({ goals: [100], roles: ['robot'] }, 0), 'Solved.')
  assert.equal(outcome({ goals: [120], roles: ['robot'], points: 170 }, 0), '120 of 170 points.')
  assert.equal(outcome({ goals: [null, 100], roles }, 0), '')
})

test('a draft is kept, and an earlier one moves to the used rules', () => {
  globalThis.localStorage = storage()
  globalThis.sessionStorage = storage()
  keepDraft('first', '(role a)')
  takeUp('pasted rules', '(role b)')
  assert.deepEqual(draft(), { name: '', text: '(role b)' })
  assert.deepEqual(used(), [{ name: 'first', text: '(role a)' }])
})

test('the pages of two agents at different paths of one host keep games of their own', () => {
  globalThis.sessionStorage = storage()
  for (const path of ['/', '/a/', '/b/index.html']) {
    globalThis.location = { pathname: path }
    session.setItem('game', path)
  }
  for (const path of ['/index.html', '/a/', '/b/']) {
    globalThis.location = { pathname: path }
    assert.equal(session.getItem('game').split('/')[1], path === '/index.html' ? '' : path.split('/')[1])
  }
  session.removeItem('game')
  assert.equal(session.getItem('game'), null)
  globalThis.location = { pathname: '/a/' }
  assert.equal(session.getItem('game'), '/a/')
  delete globalThis.location
})

test('only the last eight used rules are kept, each once', () => {
  globalThis.localStorage = storage()
  for (let i = 0; i < 10; i++) use('', `(role r${i})`)
  use('', '(role r5)')
  assert.deepEqual(used().map(({ text }) => text), [5, 9, 8, 7, 6, 4, 3, 2].map(i => `(role r${i})`))
})

test('a draft that is too large to store is kept until the page is reloaded, and removes no earlier one', () => {
  const large = `(role ${'x'.repeat(1_500_000)})`
  globalThis.localStorage = storage()
  assert.equal(keepDraft('small', '(role a)'), true)
  assert.equal(keepDraft('large', large), false)
  assert.deepEqual(draft(), { name: 'large', text: large })
  assert.match(localStorage.getItem('ggp-agent draft'), /small/)
  keepDraft('', '(role b)')
  assert.deepEqual(draft(), { name: '', text: '(role b)' })
})

test('blocked storage, whose mere mention raises an error, keeps values until the page is reloaded', () => {
  const { localStorage: before } = globalThis
  Object.defineProperty(globalThis, 'localStorage', { get () { throw new Error('Access is denied') }, configurable: true })
  assert.equal(local.getItem('blocked'), null)
  assert.equal(local.setItem('blocked', 'value'), false)
  assert.equal(local.getItem('blocked'), 'value')
  local.removeItem('blocked')
  assert.equal(local.getItem('blocked'), null)
  Object.defineProperty(globalThis, 'localStorage', { value: before, configurable: true, writable: true })
})

test('a browser without room, or with damaged storage, keeps the draft until the page is reloaded', () => {
  globalThis.localStorage = storage(0)
  assert.equal(keepDraft('x', '(role a)'), false)
  assert.deepEqual(draft(), { name: 'x', text: '(role a)' })
  globalThis.localStorage = { getItem: () => '{"cut' }
  assert.deepEqual(used(), [])
})

test('the matches of a tournament file give each player a mean over completed matches', () => {
  const match = (players, goals, completed = true, errors = []) => ({ match_id: 'm', game: 'nim', players, roles: ['one', 'two'], goals, steps: 3, completed, errors })
  const file = { plan: { name: 'T', players: { a: 'mcts' } }, standings: [], matches: [match(['a', 'b'], [100, 0]), match(['b', 'a'], [100, 0]), match(['a', 'b'], [100, 0], false, ['TO', 'TO IL'])] }
  const { players, matches } = readAll([['all.json', file]])
  assert.deepEqual(players, [{ name: 'a', mean: 50 }, { name: 'b', mean: 50 }])
  assert.equal(matches[2].errors, 'time-outs 2, illegal 1')
  assert.throws(() => readAll([['x.json', { plan: {}, matches: [match(['a', 'b'], [100])] }]]), /no goal for each player/)
})

test('files without matches, and matches without players, are refused', () => {
  assert.throws(() => readAll([['x.json', {}]]), /no file has a list of matches/)
  assert.throws(() => readAll([['x.json', { plan: {}, matches: [{ game: 'nim' }] }]]), /no game, players, roles or goals/)
})
