// The result of a match for its visitor.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KINDS } from '../../../../agent/page/static/ended.js'
import { outcome } from '../../../../agent/page/static/outcome.js'

test('chance neither wins nor loses, whatever goal the rules give it', () => {
  const alone = { roles: ['candidate', 'random'], goals: [100, 100] }
  assert.equal(outcome(alone, 0), 'Solved.')
  assert.equal(outcome({ ...alone, goals: [0, 100] }, 0), '0 of 100 points.')
  const two = { roles: ['RANDOM', 'red', 'blue'], players: ['chance', 'you', 'ggp-agent'] }
  assert.equal(outcome({ ...two, goals: [100, 100, 0] }, 1), 'You won.')
  assert.equal(outcome({ ...two, goals: [100, 40, 60] }, 1), 'You lost, 40 to 60.')
  assert.equal(outcome({ ...two, goals: [0, 50, 50] }, 2), 'Draw.')
  assert.equal(outcome({ ...two, goals: [null, 100, 0] }, null), 'red won.')
  assert.ok(KINDS.won[1]({ ...two, goals: [0, 100, 0] }))
  assert.ok(!KINDS.won[1]({ ...two, goals: [0, 50, 50] }))
  assert.ok(!KINDS.lost[1]({ ...two, goals: [100, 60, 40] }))
})

test('a draw is neither won nor lost, and a solved puzzle is won', () => {
  const drawn = { roles: ['cross', 'nought'], players: ['you', 'ggp-agent'], goals: [50, 50] }
  assert.deepEqual([KINDS.won[1](drawn), KINDS.lost[1](drawn)], [false, false])
  assert.ok(KINDS.lost[1]({ ...drawn, goals: [40, 60] }))
  const alone = { roles: ['robot'], players: ['you'], goals: [100] }
  assert.deepEqual([KINDS.won[1](alone), KINDS.lost[1](alone)], [true, false])
  assert.ok(KINDS.lost[1]({ ...alone, goals: [40] }))
  assert.ok(!KINDS.lost[1]({ ...drawn, players: ['', 'ggp-agent'], goals: [0, 100] }))
  assert.ok(!KINDS.lost[1]({ ...drawn, goals: null }))
})
