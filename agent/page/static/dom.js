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

// Shows `children` in `parent` and restores the focus; data-key identifies elements.
export function show (parent, ...children) {
  const key = parent.contains(document.activeElement) ? document.activeElement.dataset.key : null
  parent.replaceChildren(...children.flat(3).filter(Boolean))
  if (key) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true })
}

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
