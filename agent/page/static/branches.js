// Tree of an analysis: its positions, and the move list with branches.
import { h } from './dom.js'
import { spelled } from './words.js'

export class Branches {
  // `notes` are the annotations by node: { name, comment, mark, gone, rank }.
  constructor (nodes, notes = new Map()) {
    this.notes = notes
    this.nodes = new Map()
    this.children = new Map()
    for (const node of nodes) this.add(node)
  }

  add (node) {
    if (!this.nodes.has(node.node)) {
      const among = this.children.get(node.parent) ?? []
      among.push(node.node)
      this.children.set(node.parent, among)
    }
    this.nodes.set(node.node, { ...this.nodes.get(node.node), ...node })
  }

  get (number) {
    return this.nodes.get(number)
  }

  // Returns the positions from the root to this one.
  line (number) {
    const found = []
    for (let node = this.get(number); node; node = this.get(node.parent)) found.unshift(node)
    return found
  }

  // Returns the next positions that are not deleted; promoted ones first.
  childrenOf (number) {
    const rank = node => this.notes.get(node)?.rank ?? Infinity
    return (this.children.get(number) ?? []).filter(node => !this.notes.get(node)?.gone).sort((one, other) => rank(one) - rank(other) || one - other)
  }

  annotate (number, changes) {
    this.notes.set(number, { name: '', comment: '', mark: '', gone: false, ...this.notes.get(number), ...changes })
  }

  // Makes a position the first one among those after the same position.
  promote (number) {
    const among = this.childrenOf(this.get(number).parent)
    for (const [i, one] of [number, ...among.filter(one => one !== number)].entries()) this.annotate(one, { rank: i })
  }

  // Returns the next position of a line: a child in `towards`, else the first child.
  next (number, towards = []) {
    const among = this.childrenOf(number)
    return among.find(one => towards.includes(one)) ?? among[0] ?? null
  }

  // Returns a line, extended along first children.
  whole (number) {
    const line = this.line(number)
    for (let next = this.next(number); next !== null; next = this.next(next)) line.push(this.get(next))
    return line
  }

  get roots () {
    return this.childrenOf(null)
  }
}

// Draws all lines; each branch is a nested list.
export function branchList (tree, at, go, picture) {
  return h('div', { class: 'branches', 'data-key': 'branches' }, tree.roots.map(root => [
    root > 0 && h('p', { class: 'soft' }, 'From a placed position:'), run(tree, root, at, go, picture)]))
}

function run (tree, from, at, go, picture) {
  const list = h('ol', { class: 'run' })
  let number = from
  list.append(step(tree, number, at, go, picture))
  for (;;) {
    const [first, ...others] = tree.childrenOf(number)
    if (first === undefined) return list
    list.append(step(tree, first, at, go, picture))
    if (others.length) list.append(h('li', { class: 'others' }, others.map(other => run(tree, other, at, go, picture))))
    number = first
  }
}

function step (tree, number, at, go, picture) {
  const node = tree.get(number)
  const name = node.passed ? 'other side to move' : node.joint.length ? `${node.step}. ${spelled(node.joint, picture)}` : number ? 'placed' : 'start'
  const fell = blundered(tree, node)
  const said = tree.notes.get(number) ?? {}
  return h('li', {}, h('button', { type: 'button', class: 'link', 'data-key': `node ${number}`, 'aria-current': number === at ? 'step' : null, title: node.joint.join(' · ') || null, onclick: () => go(number) }, name),
    said.mark && h('strong', { class: 'mark-of' }, ` ${said.mark}`),
    fell && !said.mark && h('span', { class: 'blunder', title: fell }, ' ??', h('span', { class: 'hidden' }, ` ${fell}`)),
    said.name && h('span', { class: 'branch-name' }, ` ${said.name}`), said.comment && h('span', { class: 'comment-of soft' }, ` ${said.comment}`))
}

// Describes a move that cost its own role more than a third of the points, else null.
function blundered (tree, node) {
  const before = tree.get(node.parent)
  if (!before || node.passed) return null
  const wrong = before.choosers.filter(role => before.values[role] !== null && node.values[role] !== null && before.values[role] - node.values[role] > 100 / 3)
  return wrong.length ? wrong.map(role => `from ${before.values[role]} to ${node.values[role]}`).join(', ') : null
}

// Converts a line to the form of the story graph.
export function asStory (tree, line) {
  return {
    first: 0,
    values: line.map(({ values }) => values),
    joints: line.map(({ joint }) => joint),
    seconds: line.map(() => null),
    choosers: line.map(node => tree.get(node.parent)?.choosers ?? []),
    blunders: line.map(node => blundered(tree, node) ? tree.get(node.parent).choosers : [])
  }
}
