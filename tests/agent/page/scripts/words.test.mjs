// Moves in the words of the board.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spelled, words } from '../../../../agent/page/static/words.js'

const chess = { grids: [{ columns: ['a', 'b', 'e'], rows: ['4', '2', '1'], spelling: 'columns' }] }

test('two cells are a step, and a name that is only a move is not said', () => {
  assert.equal(words('(move e 2 e 4)', chess), 'e2–e4')
  assert.equal(words('(promote e 2 e 1 queen)', chess), 'promote e2–e1 queen')
  assert.equal(words('noop', chess), 'pass')
})

test('one cell is a place, rows may come first, and a number before the cell is no column', () => {
  assert.equal(words('(mark e 4)', chess), 'mark at e4')
  assert.equal(words('(capture b 2)', chess), 'capture b2')
  const rows = { grids: [{ columns: ['1', '2'], rows: ['a', 'b'], spelling: 'rows' }], starts: { drop: 1 } }
  assert.equal(words('(drop 2 b 1)', rows), 'drop 2 at 1b')
})

test('columns, piles and unknown moves are said plainly', () => {
  const four = { grids: [{ columns: ['1', '2', '3'], rows: ['2', '1'], spelling: 'columns' }] }
  assert.equal(words('(drop 3)', four), 'drop in column 3')
  assert.equal(words('(take b 2)', { grids: [], counters: [['heap b', '5']] }), 'take 2 from heap b')
  assert.equal(words('(remove 3 2)', { grids: [] }), 'remove 2 from pile 3')
  assert.equal(words('(bidMoney 3)', null), 'bid money 3')
  assert.equal(words('(f (g x))', null), '(f (g x))')
  assert.equal(spelled(['(mark e 4)', 'noop'], chess), 'mark at e4')
})
