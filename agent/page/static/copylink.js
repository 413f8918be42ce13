// Button that copies a link; if the browser does not allow it, the link is shown in a field.
import { h } from './dom.js'
import { sentence } from './net.js'

const SHOWN = 3000 // milliseconds for which the confirmation is shown

// `address()` returns the link or a promise of it: a URL or a fragment of this page's URL.
export function copyLink (address, text = 'Copy link') {
  const said = h('span', { class: 'soft', role: 'status' })
  const button = h('button', { type: 'button', class: 'quiet', 'data-key': 'copy link', onclick: copy }, text)
  async function copy () {
    try {
      const link = new URL(await address(), location.href).href
      if (await copied(link)) {
        said.textContent = 'Copied.'
        setTimeout(() => { said.textContent = '' }, SHOWN)
        return
      }
      const field = h('input', { value: link, readonly: true, 'aria-label': 'Link to copy' })
      said.replaceChildren(field)
      field.select()
    } catch (error) {
      said.textContent = sentence(error.message)
    }
  }
  return h('span', { class: 'copylink' }, button, ' ', said)
}

// Pages loaded over plain http from another machine have no clipboard API, but may copy a selection.
async function copied (link) {
  try {
    await navigator.clipboard.writeText(link)
    return true
  } catch {
    const field = h('textarea', { value: link, class: 'hidden', 'aria-hidden': 'true' })
    document.body.append(field)
    const focused = document.activeElement
    field.select()
    const done = document.execCommand('copy')
    field.remove()
    focused?.focus()
    return done
  }
}
