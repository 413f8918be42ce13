// Rules inside a link: compressed, in letters that addresses may have. Those that are too long are kept by the agent.
import { get, post } from './net.js'

const LONGEST = 4000 // letters of a link that rules may take; longer ones are cut by mail and chat
const LARGEST = 2_000_000 // characters of rules that are read from a link, whoever made it

// `{ kind, name }` of a link to these rules: the rules themselves, or the key by which the agent keeps them.
export async function packed ({ title, rules }) {
  const data = text64(await through(new TextEncoder().encode(JSON.stringify([title, rules])), new CompressionStream('deflate-raw')))
  if (data.length <= LONGEST) return { kind: 'rules', name: data }
  return { kind: 'sheet', name: (await post('/api/sheets', { rules, name: title })).sheet }
}

// What a link says of rules: `{ title, rules }`.
export async function unpacked ({ kind, name }) {
  if (kind === 'sheet') return get(`/api/sheets/${encodeURIComponent(name)}`)
  try {
    const [title, rules] = JSON.parse(new TextDecoder().decode(await through(bytes64(name), new DecompressionStream('deflate-raw'))))
    if (typeof title === 'string' && typeof rules === 'string') return { title, rules }
  } catch {
    // said below
  }
  throw new Error('the rules in this link cannot be read; it may have been cut off on its way')
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
