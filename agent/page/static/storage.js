// The browser's storage. What it does not take, because it is blocked or full, is kept until the page is reloaded.
class Kept {
  #find // returns the browser's object; blocked storage raises an error here already
  #apart // whether the pages of several agents on one host, at different paths, have values of their own
  #held = new Map()

  constructor (find, apart = false) {
    this.#find = find
    this.#apart = apart
  }

  #name (key) {
    const path = this.#apart ? (globalThis.location?.pathname ?? '/').replace(/[^/]*$/, '') : '/'
    return path === '/' ? key : `${key} ${path}`
  }

  getItem (key) {
    if (this.#held.has(key)) return this.#held.get(key)
    try {
      return this.#find().getItem(this.#name(key))
    } catch {
      return null
    }
  }

  // Returns whether the value is stored.
  setItem (key, value) {
    try {
      this.#find().setItem(this.#name(key), value)
      this.#held.delete(key)
      return true
    } catch {
      return this.hold(key, value)
    }
  }

  // Keeps the value until the page is reloaded, and leaves the browser's storage as it is.
  hold (key, value) {
    this.#held.set(key, value)
    return false
  }

  removeItem (key) {
    this.#held.delete(key)
    try {
      this.#find().removeItem(this.#name(key))
    } catch {
      // nothing is stored
    }
  }
}

export const local = new Kept(() => localStorage)
export const session = new Kept(() => sessionStorage, true)
