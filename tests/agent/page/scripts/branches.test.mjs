import assert from 'node:assert/strict'
import { test } from 'node:test'

import { asStory, Branches } from '../../../../agent/page/static/branches.js'
import { readStudy, replay, studyOf } from '../../../../agent/page/static/notes.js'
import { isChance } from '../../../../agent/page/static/roles.js'

const node = (number, parent, values = [50, 50]) => ({ node: number, parent, step: number, joint: parent === null ? [] : ['a', 'b'], values, choosers: [0], passed: false })
// 0 - 1 - 2, and 3 beside 2
const tree = () => new Branches([node(0, null), node(1, 0), node(2, 1, [10, 90]), node(3, 1)])

test('a line leads from the root to a position', () => {
  assert.deepEqual(tree().line(3).map(({ node }) => node), [0, 1, 3])
})

test('the next position is the first child, or the one in the wanted line', () => {
  assert.equal(tree().next(1), 2)
  assert.equal(tree().next(1, [0, 1, 3]), 3)
  assert.equal(tree().next(2), null)
})

test('a whole line goes on along first children', () => {
  assert.deepEqual(tree().whole(0).map(({ node }) => node), [0, 1, 2])
})

test('a node that comes again is updated, not added', () => {
  const updated = tree()
  updated.add({ node: 2, parent: 1, values: [60, 40] })
  assert.deepEqual(updated.get(2).values, [60, 40])
  assert.deepEqual(updated.children.get(1), [2, 3])
})

test('a move is a blunder if it costs its role more than a third of the points', () => {
  assert.deepEqual(asStory(tree(), tree().line(2)).blunders, [[], [], [0]])
  assert.deepEqual(asStory(tree(), tree().line(3)).blunders, [[], [], []])
})

test('chance is the role random in any case', () => {
  assert.deepEqual(['random', 'Random', 'RANDOM', 'randoms'].map(isChance), [true, true, true, false])
})

test('a promoted branch comes first, a deleted one is left out, and a comment moves nothing', () => {
  const own = tree()
  own.annotate(3, { comment: 'later' })
  assert.deepEqual(own.childrenOf(1), [2, 3])
  own.promote(3)
  assert.deepEqual(own.childrenOf(1), [3, 2])
  assert.equal(own.next(1), 3)
  own.annotate(3, { gone: true })
  assert.deepEqual(own.childrenOf(1), [2])
})

test('a study has the branches in their order with their notes, and is read back', () => {
  const own = tree()
  own.promote(3)
  own.annotate(3, { name: 'idea', mark: '!?' })
  const { nodes } = readStudy(JSON.stringify(studyOf({ title: 'game', roles: ['a'] }, '(role a)', own)))
  assert.deepEqual(nodes.map(({ parent }) => parent), [null, 0, 1, 1])
  assert.deepEqual([nodes[2].note.name, nodes[2].note.mark, nodes[3].note.mark], ['idea', '!?', ''])
})

test('a damaged study is refused', () => {
  for (const text of ['', '[]', '{"format": "ggp-agent study", "version": 1, "title": "", "rules": "", "nodes": [{"parent": 0, "joint": []}]}']) assert.throws(() => readStudy(text), text)
  const nodes = more => JSON.stringify({ format: 'ggp-agent study', version: 1, title: '', rules: '', nodes: [{ parent: null, joint: [] }, { parent: null, joint: [], ...more }] })
  for (const more of [{}, { facts: [] }, { facts: 'p' }, { facts: [1] }]) assert.throws(() => readStudy(nodes(more)), /damaged/)
  assert.equal(readStudy(nodes({ facts: ['(p)'] })).nodes.length, 2)
})

test('a study with a placed position can be opened and saved again', async () => {
  const first = new Branches([node(0, null), node(1, 0), { ...node(2, null), facts: ['(cell 1)'] }, node(3, 2)])
  const about = { title: 'x', roles: ['a', 'b'] }
  let [study, again] = [studyOf(about, '(role a)', first), null]
  for (const _ of [1, 2]) {
    const read = readStudy(JSON.stringify(study))
    let made = 0
    const nodes = [node(0, null)]
    const notes = await replay(read, async (verb, { node: parent = null, facts }) => {
      made += 1
      nodes.push({ ...node(made, parent), ...(verb === 'place' ? { facts: [facts] } : {}) })
      return { node: made }
    }, () => {})
    again = studyOf(about, '(role a)', new Branches(nodes, notes))
    assert.deepEqual(again, study)
    study = again
  }
})
