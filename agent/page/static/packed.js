// Rules inside a link, compressed and encoded for URLs. The agent stores rules that are too long.
import { get, post } from './net.js'

const LONGEST = 4000 // maximum characters of rules in a link; mail and chat cut longer links
const LARGEST = 2_000_000 // maximum bytes of rules that are unpacked from a link

// Returns `{ kind, name }` for a link: the compressed rules, or the key under which the agent stores them.
export async function packed ({ title, rules }) {
  const data = text64(await through(new TextEncoder().encode(JSON.stringify([title, rules])), new CompressionStream('deflate-raw')))
  if (data.length <= LONGEST) return { kind: 'rules', name: data }
  return { kind: 'sheet', name: (await post('api/sheets', { rules, name: title })).sheet }
}

// Returns the `{ title, rules }` of a link.
export async function unpacked ({ kind, name }) {
  if (kind === 'sheet') return get(`api/sheets/${encodeURIComponent(name)}`)
  try {
    const [title, rules] = JSON.parse(new TextDecoder().decode(await through(bytes64(name), new DecompressionStream('deflate-raw'))))
    if (typeof title === 'string' && typeof rules === 'string') return { title, rules }
  } catch {
    // reported below
  }
  throw new Error('the rules in this link cannot be read; the link may be incomplete')
}

async function through (bytes, stream) {
  const chunks = []
  let size = 0
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer())
    size += value.length
    if (size > LARGEST) throw new Error('too large')
    chunks.push(value)
  }
}

function text64 (bytes) {
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

function bytes64 (text) {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), letter => letter.charCodeAt(0))
}
