import assert from 'node:assert/strict'
import { test } from 'node:test'

import { losses } from '../../../../agent/page/static/lessons.js'
import { lineSearch } from '../../../../agent/page/static/linesearch.js'

const [good, bad] = [{ move: 'good', value: 100, visits: 2 }, { move: 'bad', value: 0, visits: 0 }]
const [much, seldom] = [{ ...good, visits: 250_000 }, { ...bad, value: 59, visits: 2_500 }]
const rare = { ...bad, value: 60, visits: 5 }
const [many, some] = [{ ...good, value: 33, visits: 250 }, { ...bad, value: 25, visits: 100 }]

// The losses of one move in a position of choosers, whose next position has these values.
function loss (choosers, roles, moves, values, joint = ['bad', 'bad']) {
  const nodes = [{ node: 0, choosers, figures: { 0: { moves } } }, { node: 1, step: 1, joint, values }]
  return losses({ get: number => nodes[number] }, nodes, roles).map(({ loss }) => Math.round(loss))
}

test('a move loses what the position after it is worth less than the best move', () => {
  assert.deepEqual(loss([0], ['x', 'o'], [good, rare], [30, 70]), [70])
  assert.deepEqual(loss([0], ['x', 'o'], [good, bad], [100, 0], ['good', 'noop']), [0])
})

test('a difference that the error of the search explains is no loss', () => {
  assert.deepEqual(loss([0, 1], ['x', 'o'], [many, some], [0, 100]), [2])
  assert.deepEqual(loss([0, 1], ['x', 'o'], [many, { ...some, value: 32 }], [0, 100]), [0])
  assert.deepEqual(loss([0, 1], ['x', 'o'], [{ ...many, proven: true }, { ...some, proven: true }], [0, 100]), [8])
})

test('a simultaneous move loses by its own value, or if it was searched too little, by the position after it', () => {
  assert.deepEqual(loss([0, 1], ['x', 'o'], [much, seldom], [0, 100]), [40])
  assert.deepEqual(loss([0, 1], ['x', 'o'], [{ ...good, proven: true }, { ...bad, value: 60, proven: true }], [0, 100]), [40])
  assert.deepEqual(loss([0, 1], ['x', 'o'], [good, rare], [20, 80]), [80])
  assert.deepEqual(loss([0, 1], ['x', 'o'], [good, bad], [20, 80]), [80])
})

test('the luck of chance is no loss', () => {
  assert.deepEqual(loss([0], ['x', 'random'], [much, seldom], [0, 100]), [40])
  assert.deepEqual(loss([0, 1], ['x', 'random'], [much, seldom], [0, 100]), [40])
  assert.deepEqual(loss([0, 1], ['x', 'random'], [good, rare], [0, 100]), [])
  assert.deepEqual(loss([0], ['x', 'random'], [good, rare], [50, 0]), [50]) // chance moves later
})

test('a position is searched for each role that chooses, and before chance moves, for all players', () => {
  const search = lineSearch(['random', 'x', 'o'])
  const found = []
  search.begin([[0], [1], [1, 2], [0, 2], []].map((choosers, node) => ({ node, choosers })))
  for (let next = search.next(); next; next = search.next()) found.push([next.node, next.role])
  assert.deepEqual(found, [[0, 1], [0, 2], [1, 1], [2, 1], [2, 2], [3, 2], [4, 0]])
})
