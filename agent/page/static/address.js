// The link in the address bar: its changes by the page and by the visitor.

const AGAIN = 2000 // milliseconds until a refused link is put into the address bar
let later = 0
let told = location.hash // the fragment of the view that is shown
addEventListener('hashchange', () => { told = location.hash })

// Whether the fragment has changed but the `hashchange` event has not come yet: another view comes next.
export function leaving () {
  return location.hash !== told
}

// Puts a link into the address bar, unless the visitor is leaving the view. Browsers refuse that after some hundred changes in
// ten seconds, as by a key that is held down: then the link is put there later, unless the visitor has left the view.
export function readdress (link) {
  clearTimeout(later)
  if (leaving()) return
  try {
    history.replaceState(null, '', link)
    told = location.hash
  } catch {
    const before = location.hash
    later = setTimeout(() => { if (location.hash === before) readdress(link) }, AGAIN)
  }
}
