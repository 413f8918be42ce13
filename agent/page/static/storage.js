// The browser's storage. What it does not take, because it is blocked or full, is kept until the page is reloaded.
class Kept {
  #find // returns the browser's object; blocked storage raises an error here already
  #held = new Map()

  constructor (find) {
    this.#find = find
  }

  getItem (key) {
    if (this.#held.has(key)) return this.#held.get(key)
    try {
      return this.#find().getItem(key)
    } catch {
      return null
    }
  }

  // Returns whether the value is stored.
  setItem (key, value) {
    try {
      this.#find().setItem(key, value)
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
      this.#find().removeItem(key)
    } catch {
      // nothing is stored
    }
  }
}

export const local = new Kept(() => localStorage)
export const session = new Kept(() => sessionStorage)
