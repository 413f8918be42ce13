// A button that copies a link; where the browser does not let it, the link is shown to be copied by hand.
import { h } from './dom.js'
import { sentence } from './net.js'

const SHOWN = 3000 // milliseconds that it says so

// `address()` gives the link or a promise of it, whole or as a fragment of this page's address.
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
      const field = h('input', { value: link, readonly: true, 'aria-label': 'The link, to be copied' })
      said.replaceChildren(field)
      field.select()
    } catch (error) {
      said.textContent = sentence(error.message)
    }
  }
  return h('span', { class: 'copylink' }, button, ' ', said)
}

// Pages that came over plain http from another machine have no clipboard, but may copy what is selected.
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
