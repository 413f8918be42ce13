// Annotations of an analysis: names, comments and marks of positions, the order of branches, and deleted branches. They are
import { session } from './storage.js'
// kept in this browser; a study file contains them together with the rules and all moves.
const FORMAT = 'ggp-agent study'
const KEPT = 'ggp-agent notes' // in the session of this tab, by the key of the analysis
const MOST = 2000 // maximum positions of a study, as of an analysis
export const MARKS = ['', '!!', '!', '!?', '?!', '?', '??']
const LONGEST = { name: 80, comment: 4000 }

export function keptNotes (key) {
  try {
    const stored = JSON.parse(session.getItem(KEPT) ?? 'null')
    return new Map(stored?.key === key && Array.isArray(stored.notes) ? stored.notes.map(([node, note]) => [node, clean(note)]) : [])
  } catch {
    return new Map()
  }
}

export function keepNotes (key, notes) {
  session.setItem(KEPT, JSON.stringify({ key, notes: [...notes] }))
}

function clean (note) {
  const text = key => typeof note?.[key] === 'string' ? note[key].slice(0, LONGEST[key]) : ''
  const found = { name: text('name'), comment: text('comment'), mark: MARKS.includes(note?.mark) ? note.mark : '', gone: note?.gone === true }
  return Number.isInteger(note?.rank) ? { ...found, rank: note.rank } : found
}

// Returns a study: the nodes of the tree in the order in which they are shown, each after its parent.
export function studyOf ({ title, roles }, rules, tree) {
  const nodes = []
  const numbers = new Map()
  const add = number => {
    const { parent, joint, passed, facts } = tree.get(number)
    const { name, comment, mark } = clean(tree.notes.get(number))
    numbers.set(number, nodes.length)
    nodes.push({ parent: parent === null ? null : numbers.get(parent), joint, ...(passed ? { passed } : {}), ...(parent === null && number ? { facts } : {}), ...(name && { name }), ...(comment && { comment }), ...(mark && { mark }) })
    tree.childrenOf(number).forEach(add)
  }
  tree.roots.forEach(add)
  return { format: FORMAT, version: 1, title, roles, rules, nodes }
}

// Checks a study from a file or a link. Throws an error that says what is wrong.
export function readStudy (text) {
  let study
  try {
    study = JSON.parse(text)
  } catch {
    throw new Error('the file is not JSON')
  }
  if (study?.format !== FORMAT || study.version !== 1) throw new Error('the file is not a study of this page')
  const { title, rules, nodes } = study
  const strings = list => Array.isArray(list) && list.every(one => typeof one === 'string')
  const sound = (node, i) => (i ? node?.parent === null || (Number.isInteger(node?.parent) && node.parent >= 0 && node.parent < i) : node?.parent === null) && strings(node.joint) && (i && node.parent === null ? strings(node.facts) && node.facts.length > 0 : true)
  if (typeof rules !== 'string' || typeof title !== 'string' || !Array.isArray(nodes) || !nodes.length || nodes.length > MOST || !nodes.every(sound)) throw new Error('the study is damaged')
  return { title, rules, nodes: nodes.map(node => ({ ...node, note: clean(node) })) }
}

// Makes the moves of a study in a new analysis; returns its notes. `post` sends a request to the analysis, `told` hears how
// many positions are done.
export async function replay ({ nodes }, post, told) {
  const notes = new Map([[0, { ...nodes[0].note, rank: 0 }]])
  const numbers = [0]
  for (const [i, { parent, joint, passed, facts, note }] of nodes.entries()) {
    if (!i) continue
    told(i, nodes.length)
    const view = parent === null ? await post('place', { facts: facts.join(' ') }) : await post('try', { node: numbers[parent], joint: passed ? null : joint })
    numbers.push(view.node)
    notes.set(view.node, { ...note, rank: i })
  }
  return notes
}
