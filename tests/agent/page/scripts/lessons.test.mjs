import assert from 'node:assert/strict'
import { test } from 'node:test'

import { losses } from '../../../../agent/page/static/lessons.js'

const [good, bad] = [{ move: 'good', value: 100, visits: 2 }, { move: 'bad', value: 0, visits: 0 }]

// The losses of one move in a position of choosers, whose next position has these values.
function loss (choosers, roles, moves, values, joint = ['bad', 'bad']) {
  const nodes = [{ node: 0, choosers, figures: { 0: { moves } } }, { node: 1, step: 1, joint, values }]
  return losses({ get: number => nodes[number] }, nodes, roles).map(({ loss }) => loss)
}

test('a move loses what the position after it is worth less than the best move', () => {
  assert.deepEqual(loss([0], ['x', 'o'], [good, { ...bad, value: 90, visits: 5 }], [30, 70]), [70])
  assert.deepEqual(loss([0], ['x', 'o'], [good, bad], [100, 0], ['good', 'noop']), [0])
})

test('a simultaneous move loses by its own value, or if it was not searched, by the position after it', () => {
  assert.deepEqual(loss([0, 1], ['x', 'o'], [good, { ...bad, value: 60, visits: 5 }], [0, 100]), [40])
  assert.deepEqual(loss([0, 1], ['x', 'o'], [good, bad], [20, 80]), [80])
})

test('the luck of chance is no loss', () => {
  assert.deepEqual(loss([0], ['x', 'random'], [good, { ...bad, value: 60, visits: 5 }], [0, 100]), [40])
  assert.deepEqual(loss([0], ['x', 'random'], [good, bad], [0, 100]), [])
})
