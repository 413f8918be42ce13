// Editor for a rulesheet, which marks its faults.
import { h } from './dom.js'

export function editor (onchange) {
  const gutter = h('div', { class: 'gutter', 'aria-hidden': 'true' })
  const text = h('textarea', {
    id: 'rules', rows: 14, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', wrap: 'off',
    'aria-describedby': 'faults', placeholder: '(role me)\n(init (heap 5))\n(<= (legal me (take 1)) (true (heap ?n)))\n…',
    oninput: () => { number([]); onchange(text.value) },
    onscroll: () => { gutter.scrollTop = text.scrollTop }
  })
  const list = h('div', { id: 'faults', 'aria-live': 'polite' })
  const place = h('div', { class: 'editor' }, h('div', { class: 'sheet' }, gutter, text), list)

  function number (faults) {
    const lines = text.value.split(/\r\n|\r|\n/)
    const worst = new Map()
    for (const { line, severity } of faults) if (line && worst.get(line) !== 'error') worst.set(line, severity)
    gutter.replaceChildren(...lines.slice(0, 5000).map((_, i) => h('div', { class: worst.get(i + 1) ?? '' }, i + 1)))
  }

  function select ({ line, column, length }) {
    const lines = text.value.split(/(?<=\r\n|\r(?!\n)|\n)/)
    const start = lines.slice(0, line - 1).join('').length + column - 1
    text.focus()
    text.setSelectionRange(start, start + length)
    text.scrollTop = Math.max(0, (line - 5) * parseFloat(getComputedStyle(text).lineHeight))
  }

  place.faults = faults => {
    number(faults)
    text.setAttribute('aria-invalid', faults.some(({ severity }) => severity === 'error'))
    list.replaceChildren(...faults.length ? [h('ul', { class: 'faults' }, faults.map(fault => shown(fault, text.value, select)))] : [])
  }
  Object.defineProperty(place, 'text', { get: () => text.value, set: value => { text.value = value; number([]) } })
  number([])
  return place
}

function shown (fault, text, select) {
  const where = fault.line ? `line ${fault.line}, column ${fault.column}` : 'the whole rulesheet'
  const source = fault.line ? text.split(/\r\n|\r|\n/)[fault.line - 1] ?? '' : ''
  const from = Math.max(0, (fault.column ?? 1) - 40)
  return h('li', { class: fault.severity },
    h('p', {}, h('strong', {}, `${fault.severity}: `), fault.message),
    fault.line && h('pre', {}, from ? '…' : '', source.slice(from, fault.column - 1), h('mark', {}, source.slice(fault.column - 1, fault.column - 1 + fault.length) || ' '), source.slice(fault.column - 1 + fault.length, from + 100)),
    h('p', { class: 'soft' }, h('span', {}, 'Fix: '), fault.fix),
    fault.line ? h('button', { type: 'button', class: 'link', onclick: () => select(fault) }, `go to ${where}`) : h('p', { class: 'soft' }, where))
}
