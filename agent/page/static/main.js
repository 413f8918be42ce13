// Router of the page's views by URL fragment, and the status of the agent.
import { analysis } from './analysis.js'
import { agree } from './clock.js'
import { games } from './games.js'
import { history } from './history.js'
import { askedOf } from './links.js'
import { listen, shareStream } from './net.js'
import { play } from './play.js'
import { puzzles } from './puzzles.js'
import { report } from './report.js'
import { tournament } from './tournament.js'
import { idOf, watch } from './watch.js'

const main = document.getElementById('main')
const status = document.getElementById('status')
const followers = new Set()
const store = {
  data: {},
  follow (call) {
    followers.add(call)
    return () => followers.delete(call)
  }
}
const NOTHING = 'This link names nothing to analyse; it may be incomplete. Choose a game, or ask for the whole link.'
let leave = () => {}

function route () {
  const [, view, ...rest] = location.hash.split('/')
  leave()
  leave = view === 'play' ? play(main, store, rest) : view === 'history' ? history(main, store, ...rest)
    : view === 'games' ? games(main) : view === 'tournament' ? tournament(main) : view === 'report' ? report(main, rest) : view === 'puzzles' ? puzzles(main)
    : view === 'analysis' ? analysis(main, askedOf(rest), rest[0] ? NOTHING : '') : watch(main, store)
  for (const link of document.querySelectorAll('nav a')) {
    const here = link.getAttribute('href') === `#/${view || 'watch'}`
    if (here) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
}

let told = '' // the text as it was written: a browser may have translated the page
function tell (text, kind) {
  if (told === text) return
  status.textContent = told = text
  status.dataset.kind = kind
}

function hear (name, value) {
  if (name === 'time') return agree(value)
  if (name === 'match' && idOf(value) !== idOf(store.data.match)) store.data.story = store.data.thinking = null // they come next
  store.data[name] = value
  const { agent } = store.data
  if (agent) {
    document.getElementById('name').textContent = agent.name
    document.getElementById('about').textContent = `ggp-agent ${agent.version}, player ${agent.player}`
    if (agent.playing) tell('playing', 'busy')
    else if (!agent.ready) tell('warming up', 'wait')
    else tell(agent.free ? 'free' : 'busy', agent.free ? 'free' : 'busy')
  }
  for (const call of followers) call()
}

// A browser opens at most six connections to the agent, from all tabs together. So a hidden tab has no stream of the agent,
// and neither has a game or an analysis, whose own stream tells of the agent, too.
let close = () => {}
let alone = 0 // number of such streams
function connect () {
  close()
  close = document.hidden || alone ? () => {} : listen('api/events', ['time', 'agent', 'match', 'story', 'thinking', 'history'], hear, lost)
}
function lost () { tell('no connection', 'gone') }
shareStream({
  pause () { alone++; connect() },
  resume () { alone--; connect() },
  heard: hear,
  lost
})
document.addEventListener('visibilitychange', connect)
connect()

// The fragment names the view, so the skip link must not change it.
document.querySelector('.skip').addEventListener('click', event => { event.preventDefault(); main.focus() })
for (const type of ['dragover', 'drop']) { // a browser would leave the page and open the file
  addEventListener(type, event => { if (event.dataTransfer.types.includes('Files') && event.target.type !== 'file') event.preventDefault() })
}
window.addEventListener('hashchange', () => { route(); main.focus({ preventScroll: true }); scrollTo(0, 0) })
route()
