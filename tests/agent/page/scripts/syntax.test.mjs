// Colours of rulesheets: kinds of words in both notations, the word at a place, and pairs of brackets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meaning } from '../../../../agent/page/static/meanings.js'
import { isInfix, pairAt, wordAt, wordsOf } from '../../../../agent/page/static/syntax.js'

const kinds = text => wordsOf(text).map(({ start, end, kind }) => [text.slice(start, end), kind])

test('words of KIF have their kinds, and a keyword only where it is one', () => {
  assert.deepEqual(kinds('; a\n(<= (next (cell ?x 1)) (not (f true)))'), [
    ['; a', 'comment'], ['(', 'bracket'], ['<=', 'connective'], ['(', 'bracket'], ['next', 'keyword'], ['(', 'bracket'], ['cell', 'relation'],
    ['?x', 'variable'], ['1', 'number'], [')', 'bracket'], [')', 'bracket'], ['(', 'bracket'], ['not', 'connective'], ['(', 'bracket'],
    ['f', 'relation'], ['true', 'name'], [')', 'bracket'], [')', 'bracket'], [')', 'bracket']])
})

test('words of infix have their kinds', () => {
  const text = '% a\nnext(cell(X,1)) :- ~terminal & open'
  assert.equal(isInfix(text), true)
  assert.deepEqual(kinds(text).filter(([, kind]) => kind !== 'bracket'), [
    ['% a', 'comment'], ['next', 'keyword'], ['cell', 'relation'], ['X', 'variable'], ['1', 'number'], [':-', 'connective'], ['~', 'connective'], ['terminal', 'keyword'], ['&', 'connective'], ['open', 'name']])
})

test('the notation is found after comments', () => {
  for (const text of ['', '(role a)', '; role(a)\n(role a)', '<= a b', 'role']) assert.equal(isInfix(text), false, text)
  for (const text of ['role(a)', '; (role a)\nrole(a)', '/* ( */ p :- q']) assert.equal(isInfix(text), true, text)
})

test('unfinished and long texts are coloured to their end', () => {
  for (const [text, count] of [['#| never closed', 1], ['/* never closed', 1], ['('.repeat(100_000), 100_000], ['(a '.repeat(100_000), 200_000], [';'.repeat(300_000), 1], ['#|'.repeat(50_000), 1]]) {
    isInfix(text)
    assert.equal(wordsOf(text).length, count, text.slice(0, 10))
  }
})

test('a place names a word, and a bracket its partner', () => {
  const text = '(a (b c))'
  const words = wordsOf(text)
  assert.equal(words[wordAt(words, 4)].start, 4)
  assert.equal(words[wordAt(words, 5)].start, 4)
  assert.equal(wordAt([], 0), -1)
  assert.deepEqual(pairAt(text, words, 0).map(({ start }) => start), [0, 8])
  assert.deepEqual(pairAt(text, words, 9).map(({ start }) => start), [8, 0])
  assert.deepEqual(pairAt('(a', wordsOf('(a'), 0), [])
})

test('a keyword has a meaning, in the form of the notation', () => {
  assert.match(meaning('legal'), /^\(legal ROLE MOVE\) allows/)
  assert.match(meaning('LEGAL', true), /legal\(ROLE, MOVE\)|LEGAL/)
  assert.match(meaning('&', true), /^& holds if all/)
  assert.equal(meaning('cell'), '')
  assert.equal(meaning('constructor'), '')
})
