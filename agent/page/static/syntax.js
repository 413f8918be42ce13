// Words of a rulesheet in KIF or infix, with their kinds, for colours and completion.
import { MEANINGS } from './meanings.js'

const KIF = /(?<comment>;[^\n]*|#\|[^]*?(?:\|#|$)|\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*)|(?<bracket>[()])|(?<word>[^\s();]+)/g
const INFIX = /(?<comment>[%;][^\n]*|(?<![^\n])(?:#|--)[^\n]*|\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*)|(?<bracket>[()[\]])|(?<sign>:-|::|==>|[&|~#!⇐∧∨¬])|(?<word>\w+)/g
const START = /^(?:\s|\ufeff|(?:[;%]|\/\/)[^\n]*|\/\*[^]*?\*\/|#\|[^]*?\|#)*/
const LONGEST = 400_000 // maximum characters that are coloured

export function isInfix (text) {
  const from = START.exec(text)[0].length
  const rest = text.slice(from, from + 300)
  return /^(?:[^\s();%]+\(|(?!<=)[^\s();%]+\s*(?::-|::|==>|[&|#⇐]))/.test(rest)
}

// Returns the words of a text as [{ start, end, kind }], in order. The kinds are comment, bracket, connective, keyword, variable,
// number, relation (the first word in parentheses) and name. White space belongs to no word.
export function wordsOf (text) {
  if (text.length > LONGEST) return []
  const infix = isInfix(text)
  const found = []
  for (const match of text.matchAll(infix ? INFIX : KIF)) {
    const [start, end] = [match.index, match.index + match[0].length]
    const { comment, bracket, sign } = match.groups
    const kind = comment ? 'comment' : bracket ? 'bracket' : sign ? 'connective' : kindOf(match[0], infix, text[infix ? end : start - 1] === '(')
    found.push({ start, end, kind })
  }
  return found
}

function kindOf (word, infix, first) {
  if (infix ? /^[A-Z_]/.test(word) : word.startsWith('?')) return 'variable'
  if (/^\d+$/.test(word)) return 'number'
  const meant = MEANINGS[word.toLowerCase()]
  if (meant && (first || word === '<=' || word.toLowerCase() === 'terminal')) return meant.sign ? 'connective' : 'keyword'
  return first ? 'relation' : 'name'
}

// Returns the index of the word at an offset, or of the word that ends there; -1 if there is none.
export function wordAt (words, offset) {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (words[middle].end < offset) low = middle + 1
    else high = middle
  }
  if (words[low + 1]?.start === offset && words[low].kind === 'bracket') low += 1
  return words[low]?.start <= offset ? low : -1
}

// Returns the bracket at an offset and its partner; [] if there is no pair.
export function pairAt (text, words, offset) {
  const at = [offset, offset - 1].find(one => '()'.includes(text[one] || ' '))
  const from = at === undefined ? -1 : words.findIndex(({ start, kind }) => start === at && kind === 'bracket')
  if (from < 0) return []
  const way = text[at] === '(' ? 1 : -1
  let depth = 0
  for (let i = from; i >= 0 && i < words.length; i += way) {
    if (words[i].kind !== 'bracket') continue
    depth += text[words[i].start] === '(' ? way : text[words[i].start] === ')' ? -way : 0
    if (!depth) return [words[from], words[i]]
  }
  return []
}
