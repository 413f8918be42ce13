// Creates DOM elements. Text is always set as text, so that untrusted data is never parsed as markup.

export function h (tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children)
}

export function svg (tag, props = {}, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children)
}

function filled (element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (name === 'style') for (const [key, set] of Object.entries(value)) element.style.setProperty(key, set)
    else if (name === 'value') element.value = value
    else element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children.flat(3).filter(child => child !== null && child !== undefined && child !== false))
  return element
}

// Shows `children` in `parent` and restores the focus; data-key identifies elements, its first word is their kind. If the
// element with the focus of the keyboard is gone, the nearest one of its kind gets it, or `parent` until one is shown again.
export function show (parent, ...children) {
  const holder = parent.contains(document.activeElement) ? document.activeElement : null
  const held = holder === parent ? waiting.get(parent) : holder && { key: holder.dataset.key ?? '', at: middleOf(holder), typing: holder.matches(':focus-visible') }
  parent.replaceChildren(...children.flat(3).filter(Boolean))
  if (!held) return
  const keyed = [...parent.querySelectorAll('[data-key]')]
  const found = keyed.find(({ dataset }) => dataset.key === held.key) ?? (held.typing ? nearest(keyed, held) : null)
  found?.focus({ preventScroll: true })
  if (held.typing && !parent.contains(document.activeElement)) hold(parent, held)
}

const waiting = new WeakMap() // what had the focus in a parent that holds it

function hold (parent, held) {
  const own = parent.hasAttribute('tabindex')
  if (!own) parent.tabIndex = -1
  waiting.set(parent, held)
  parent.addEventListener('blur', () => {
    waiting.delete(parent)
    if (!own) parent.removeAttribute('tabindex')
  }, { once: true })
  parent.focus({ preventScroll: true })
}

function middleOf (element) {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return [(left + right) / 2, (top + bottom) / 2]
}

function nearest (elements, { key, at: [x, y] }) {
  const kind = key.split(' ')[0]
  const like = kind ? elements.filter(({ dataset }) => dataset.key.split(' ')[0] === kind) : []
  const far = like.map(element => { const [left, top] = middleOf(element); return Math.hypot(left - x, top - y) })
  return like[far.indexOf(Math.min(...far))]
}

// Enter that is held down clicks once: `show` may have given the focus to another button.
globalThis.document?.addEventListener('keydown', event => {
  if (event.repeat && event.key === 'Enter' && event.target.closest?.('button')) event.preventDefault()
}, true)

// A button that `show` replaces while the mouse presses it gets no click from the browser: the new one with its key is clicked.
let pressed = null
globalThis.document?.addEventListener('pointerdown', ({ target, button, pointerType }) => {
  pressed = pointerType === 'mouse' && button === 0 ? target.closest?.('[data-key]') : null
}, true)
globalThis.document?.addEventListener('pointerup', ({ target }) => {
  const now = target.closest?.('[data-key]')
  if (pressed && !pressed.isConnected && now?.dataset.key === pressed.dataset.key) now.click()
  pressed = null
}, true)

export function count (number) {
  return Math.round(number).toLocaleString('en-US')
}

export function when (milliseconds) {
  return new Date(milliseconds).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
}
