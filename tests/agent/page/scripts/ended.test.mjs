// How a match ended, in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ended } from '../../../../agent/page/static/ended.js'

test('a match that ended early has its number of steps, in the list and in the replay', () => {
  const match = { status: 'aborted', players: ['you'] }
  assert.equal(ended({ ...match, steps: 3 }), 'Aborted by its manager after 3 steps')
  assert.equal(ended({ ...match, steps: [{}, {}] }), 'Aborted by its manager after 1 step')
  assert.equal(ended({ ...match, steps: [{}] }), 'Aborted by its manager')
})
