// Completion of words in a text field: a list below the caret. Tab takes the first word, the arrow keys choose another,
// Escape closes the list; Enter takes a word only after an arrow key.
import { h } from './dom.js'

const SHOWN = 8
const LEAST = 2 // characters after which the list opens by itself; with Ctrl-Space it opens at once

// `words(start)` returns the words that begin with `start`; `below(offset)` returns where to show the list, in pixels.
export function completion (text, words, below) {
  const list = h('ul', { class: 'completions', id: 'completions', role: 'listbox', 'aria-label': 'Completions', hidden: true })
  let [found, chosen, moved, from, begun] = [[], 0, false, 0, '']

  function close () {
    list.hidden = true
    text.removeAttribute('aria-activedescendant')
  }

  function look (least = LEAST) {
    const at = text.selectionStart
    const start = /[^\s()[\]&|~,.:;]*$/.exec(text.value.slice(Math.max(0, at - 80), at))[0]
    ;[from, begun] = [at - start.length, start]
    found = start.length >= least && at === text.selectionEnd ? words(start).filter(word => word !== start).slice(0, SHOWN) : []
    if (!found.length) return close()
    ;[chosen, moved] = [0, false]
    const [left, top] = below(from)
    list.style.setProperty('--left', `${left}px`)
    list.style.setProperty('top', `${top}px`)
    list.hidden = false
    draw()
  }

  // Whether the caret is still behind the begun word; a click or Home moves it.
  function fits () {
    const at = from + begun.length
    return text.selectionStart === at && text.selectionEnd === at && text.value.slice(from, at) === begun
  }

  function draw () {
    list.replaceChildren(...found.map((word, i) => h('li', {
      role: 'option', id: `completion-${i}`, 'aria-selected': i === chosen ? 'true' : 'false', onpointerdown: event => { event.preventDefault(); take(i) }
    }, word)))
    text.setAttribute('aria-activedescendant', `completion-${chosen}`)
  }

  // `insertText` keeps what the browser can undo.
  function take (i) {
    if (!fits()) return close()
    text.setSelectionRange(from, text.selectionStart)
    if (!document.execCommand('insertText', false, found[i])) {
      text.setRangeText(found[i], from, text.selectionEnd, 'end')
      text.dispatchEvent(new Event('input', { bubbles: true }))
    }
    close()
  }

  function key (event) {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault()
      return look(0)
    }
    if (!list.hidden && !fits()) close()
    if (list.hidden || event.ctrlKey || event.altKey || event.metaKey) return
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (way) [chosen, moved] = [(chosen + way + found.length) % found.length, true]
    else if (event.key === 'Escape') close()
    else if ((event.key === 'Tab' && !event.shiftKey) || (event.key === 'Enter' && moved)) take(chosen)
    else return
    event.preventDefault()
    event.stopPropagation()
    if (way) draw()
  }

  text.setAttribute('aria-autocomplete', 'list')
  text.setAttribute('aria-controls', list.id)
  text.addEventListener('keydown', key)
  text.addEventListener('blur', close)
  text.addEventListener('scroll', close)
  for (const moved of ['keyup', 'click']) text.addEventListener(moved, () => { if (!list.hidden && !fits()) close() })
  return { list, look, close }
}
