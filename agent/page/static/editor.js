// Editor for a rulesheet: a text field whose visible lines are coloured by a layer behind it, which underlines faults, too.
import { completion } from './completion.js'
import { h } from './dom.js'
import { meaning, MEANINGS } from './meanings.js'
import { isInfix, pairAt, wordAt, wordsOf } from './syntax.js'

const HELP = 'Tab completes a word, Escape closes the list, Ctrl-Space opens it. The meaning of a keyword is shown here.'
const WIDEST = 20_000 // maximum visible characters that are coloured
const NAMED = 4000 // maximum different words that are offered for completion

export function editor (onchange) {
  const gutter = h('div', {})
  const layer = h('pre', { class: 'layer', 'aria-hidden': 'true' })
  const text = h('textarea', {
    id: 'rules', rows: 14, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', wrap: 'off',
    'aria-describedby': 'meaning faults', placeholder: '(role me)\n(init (heap 5))\n(<= (legal me (take 1)) (true (heap ?n)))\n…',
    oninput: () => { read(); mark([]); offered.look(); onchange(text.value) },
    onscroll: draw, onkeyup: point, onclick: point, onfocus: point, onblur: () => { pair = []; draw() },
    onmousemove: event => tell(under(event)), onmouseleave: point
  })
  const offered = completion(text, begun, offset => { const [column, line] = where(offset); return [column * size().wide + 8 - text.scrollLeft, (line + 1) * size().high + 10 - text.scrollTop] })
  const said = h('p', { class: 'soft meaning', id: 'meaning' }, HELP)
  const list = h('div', { id: 'faults', 'aria-live': 'polite' })
  const place = h('div', { class: 'editor' }, h('div', { class: 'sheet', translate: 'no' },
    h('div', { class: 'gutter', 'aria-hidden': 'true' }, gutter), h('div', { class: 'paper' }, h('div', { class: 'backdrop' }, layer), text, offered.list)), said, list)
  let [lines, starts, words, pair, underlined] = [[], [], [], [], []]
  let names = null // words for completion, most frequent first
  let listed = '[]' // the faults that are listed, with their lines

  function read () {
    lines = text.value.split('\n')
    let at = 0
    starts = lines.map(line => { const start = at; at += line.length + 1; return start })
    ;[words, names] = [wordsOf(text.value), null]
  }

  // Returns the column and the line of an offset, from 0.
  function where (offset) {
    const line = starts.findLastIndex(start => start <= offset)
    return [offset - starts[line], line]
  }

  // Returns the width and the height of a letter in pixels.
  function size () {
    const style = getComputedStyle(text)
    pen.font = style.font
    return { wide: pen.measureText('m').width, high: parseFloat(style.lineHeight) || 21 }
  }

  function under (event) {
    const { wide, high } = size()
    const line = Math.floor((event.offsetY + text.scrollTop - 8) / high)
    const column = Math.floor((event.offsetX + text.scrollLeft - 8) / wide)
    return line in lines && column < lines[line].length ? starts[line] + column + 0.5 : -1
  }

  function point () {
    pair = pairAt(text.value, words, text.selectionStart)
    tell(text.selectionStart)
    draw()
  }

  function tell (offset) {
    const { start, end, kind } = words[wordAt(words, offset)] ?? {}
    const told = kind === 'keyword' || kind === 'connective' ? meaning(text.value.slice(start, end), isInfix(text.value)) : ''
    if (said.textContent !== (told || HELP)) said.textContent = told || HELP
  }

  // Returns the keywords and the words of the text that begin with `start`.
  function begun (start) {
    if (!names) {
      const counts = new Map(Object.keys(MEANINGS).map(word => [word, 0]))
      for (const word of words) {
        const name = text.value.slice(word.start, word.end)
        if (/comment|bracket|number/.test(word.kind) || (!counts.has(name) && counts.size >= NAMED)) continue
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
      counts.delete(text.value.slice(...typed()))
      names = [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name)
    }
    return names.filter(name => name.startsWith(start) && name !== '<=')
  }

  // The word before the caret, which is not finished, unless it occurs elsewhere, too.
  function typed () {
    const word = words[wordAt(words, text.selectionStart)]
    const name = word && text.value.slice(word.start, word.end)
    return word && words.filter(({ start, end }) => end - start === name.length && text.value.slice(start, end) === name).length === 1 ? [word.start, word.end] : [0, 0]
  }

  // Draws the visible lines and their numbers.
  function draw () {
    const { high } = size()
    const first = Math.max(0, Math.floor(text.scrollTop / high) - 1)
    const last = Math.min(lines.length, first + Math.ceil(text.clientHeight / high) + 3)
    layer.style.setProperty('translate', `${-text.scrollLeft}px ${first * high - text.scrollTop}px`)
    gutter.style.setProperty('translate', `0 ${first * high - text.scrollTop}px`)
    gutter.style.setProperty('--digits', String(lines.length).length)
    const worst = new Map()
    for (const { line, severity } of underlined) if (worst.get(line) !== 'error') worst.set(line, severity)
    gutter.replaceChildren(...lines.slice(first, last).map((_, i) => h('div', { class: worst.get(first + i + 1) ?? '' }, first + i + 1)))
    layer.replaceChildren(...first < last ? pieces(starts[first], starts[last - 1] + lines[last - 1].length) : [])
  }

  // Returns the text from one offset to another as spans: a span has one kind and one fault.
  function pieces (from, to) {
    if (to - from > WIDEST) return [text.value.slice(from, to)]
    const shown = words.slice(Math.max(0, wordAt(words, from)), wordAt(words, to) + 1 || undefined).filter(({ start, end }) => end > from && start < to)
    const marked = underlined.filter(({ start, end }) => end > from && start < to)
    const cuts = new Set([from, to, ...[...shown, ...marked].flatMap(({ start, end }) => [Math.max(start, from), Math.min(end, to)])])
    const sorted = [...cuts].sort((one, other) => one - other)
    let next = 0
    return sorted.slice(0, -1).map((start, i) => {
      while (shown[next]?.end <= start) next += 1
      const kind = shown[next]?.start <= start ? shown[next].kind : ''
      const fault = marked.findLast(one => one.start <= start && start < one.end)
      const class_ = [kind, fault ? `fault ${fault.severity}` : '', pair.some(one => one.start === start) ? 'pair' : ''].filter(Boolean).join(' ')
      const own = text.value.slice(start, sorted[i + 1])
      return class_ ? h('span', { class: class_ }, own) : own
    })
  }

  function mark (faults) {
    underlined = faults.filter(({ line }) => line && line <= lines.length).map(({ line, column, length, severity }) => {
      const start = starts[line - 1] + column - 1
      return { line, severity, start, end: start + Math.max(length, 1) }
    }).sort((one, other) => (one.severity === 'error') - (other.severity === 'error'))
    draw()
  }

  function select ({ line, column, length }) {
    const start = starts[line - 1] + column - 1
    text.focus()
    text.setSelectionRange(start, start + length)
    text.scrollTop = Math.max(0, (line - 5) * size().high)
    point()
  }

  place.faults = faults => {
    mark(faults)
    text.setAttribute('aria-invalid', faults.some(({ severity }) => severity === 'error'))
    const now = JSON.stringify(faults.map(fault => [fault, lines[fault.line - 1]]))
    if (now === listed) return // a click on a fault is not lost, and nothing is read aloud twice
    listed = now
    list.replaceChildren(...faults.length ? [h('ul', { class: 'faults' }, faults.map(fault => shown(fault, lines, select)))] : [])
  }
  Object.defineProperty(place, 'text', { get: () => text.value, set: value => { text.value = value; read(); mark([]) } })
  read()
  new ResizeObserver(draw).observe(text)
  return place
}

const pen = document.createElement('canvas').getContext('2d')

function shown (fault, lines, select) {
  const where = fault.line ? `line ${fault.line}, column ${fault.column}` : 'the whole rulesheet'
  const source = fault.line ? lines[fault.line - 1] ?? '' : ''
  const from = Math.max(0, (fault.column ?? 1) - 40)
  return h('li', { class: fault.severity },
    h('p', {}, h('strong', {}, `${fault.severity}: `), fault.message),
    fault.line && h('pre', {}, from ? '…' : '', source.slice(from, fault.column - 1), h('mark', {}, source.slice(fault.column - 1, fault.column - 1 + fault.length) || ' '), source.slice(fault.column - 1 + fault.length, from + 100)),
    h('p', { class: 'soft' }, h('span', {}, 'Fix: '), fault.fix),
    fault.line ? h('button', { type: 'button', class: 'link', onclick: () => select(fault) }, `go to ${where}`) : h('p', { class: 'soft' }, where))
}
