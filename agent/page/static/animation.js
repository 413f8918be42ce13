// Saves pictures of positions, and a game as an animated picture: the browser draws the frames, and the agent writes the file.
import { h } from './dom.js'
import { get, post, sentence } from './net.js'

const SCALE = 2 // maximum pixels of a saved picture for each pixel of the drawing
const PIXELS = 60_000_000 // maximum pixels of all frames together
const TEXT = 24 // height of the line with the move
const FORMS = { gif: ['GIF', 'image/gif'], webp: ['WebP', 'image/webp'] }
const folded = { open: false } // whether the panel is open, for all positions

export function save (name, blob) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

async function imageOf (text) {
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`
  await image.decode()
  return image
}

export async function rastered (text) {
  const image = await imageOf(text)
  return pngOf([image.naturalWidth, image.naturalHeight], SCALE, canvas => canvas.drawImage(image, 0, 0))
}

// Draws with `paint` on a canvas of a scaled size.
function pngOf ([width, height], scale, paint) {
  const canvas = h('canvas', { width: Math.ceil(width * scale), height: Math.ceil(height * scale) })
  const context = canvas.getContext('2d')
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(scale, scale)
  paint(context)
  return new Promise((resolve, reject) => canvas.toBlob(blob => blob ? resolve(blob) : reject(new Error('the picture cannot be drawn')), 'image/png'))
}

function base64 (blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1))
    reader.onerror = () => reject(new Error('the picture cannot be read'))
    reader.readAsDataURL(blob)
  })
}

// `frames` are [{ svg, text }]: the address of a position's image, and the move before it; `told` hears how many are drawn.
async function animated (frames, milliseconds, form, told) {
  const images = []
  for (const { svg } of frames) {
    told(images.length)
    images.push(await imageOf((await get(svg)).svg))
  }
  const [width, height] = ['naturalWidth', 'naturalHeight'].map(side => Math.max(...images.map(image => image[side])))
  const scale = Math.min(SCALE, Math.sqrt(PIXELS / (frames.length * width * (height + TEXT))))
  const drawn = []
  for (const [i, image] of images.entries()) {
    drawn.push(await base64(await pngOf([width, height + TEXT], scale, canvas => {
      canvas.drawImage(image, (width - image.naturalWidth) / 2, 0)
      canvas.fillStyle = '#20262d'
      canvas.font = '600 14px sans-serif'
      canvas.textAlign = 'center'
      canvas.fillText(frames[i].text, width / 2, height + TEXT * 0.7, width - 8)
    })))
  }
  told(frames.length)
  const { data } = await post('api/animations', { frames: drawn, milliseconds, form })
  return new Blob([Uint8Array.from(atob(data), one => one.charCodeAt(0))], { type: FORMS[form][1] })
}

// A form that saves a game; `frames()` returns what `animated` takes, or a promise of it.
export function animationPanel (name, frames) {
  const said = h('span', { class: 'soft', role: 'status' })
  const problem = h('span', { class: 'problem', role: 'alert' })
  const form = h('select', { id: 'animation-form' }, Object.entries(FORMS).map(([value, [text]]) => h('option', { value }, text)))
  const pace = h('input', { id: 'animation-pace', type: 'number', min: 0.1, max: 60, step: 0.1, value: '1', required: true })
  const start = h('button', { class: 'quiet', 'data-key': 'animation' }, 'Save the animation')
  async function write (event) {
    event.preventDefault()
    start.disabled = true
    problem.textContent = ''
    try {
      const all = await frames()
      const told = count => { said.textContent = count < all.length ? `${count} of ${all.length} positions are drawn …` : 'The file is written …' }
      save(`${name}.${form.value}`, await animated(all, Math.round(1000 * Number(pace.value)), form.value, told))
      said.textContent = 'Saved.'
    } catch (error) {
      said.textContent = ''
      problem.textContent = sentence(error.message)
    }
    start.disabled = false
  }
  return h('details', { class: 'animation', open: folded.open, ontoggle: event => { folded.open = event.currentTarget.open } }, h('summary', { 'data-key': 'animate' }, 'Save as an animation'),
    h('form', { class: 'setup', onsubmit: write },
      h('div', { class: 'fields' }, h('div', { class: 'field' }, h('label', { for: 'animation-form' }, 'Format'), form), h('div', { class: 'field' }, h('label', { for: 'animation-pace' }, 'Seconds per position'), pace)),
      h('p', { class: 'actions' }, start, said, problem)))
}
