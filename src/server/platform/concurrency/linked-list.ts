/**
 * A list in insertion order that can remove any entry. It replaces a Set where thousands of entries are
 * added and removed each second: a Set rebuilds its table every few changes, and each old table keeps its
 * entries alive until a full garbage collection.
 */
export type Linked<Value> = {
  readonly value: Value
  previous: Linked<Value> | null
  next: Linked<Value> | null
  isListed: boolean
}

export class LinkedList<Value> {
  #first: Linked<Value> | null = null
  #last: Linked<Value> | null = null

  get first(): Value | undefined {
    return this.#first?.value
  }

  add(value: Value): Linked<Value> {
    const link: Linked<Value> = { value, previous: this.#last, next: null, isListed: true }
    if (this.#last) this.#last.next = link
    else this.#first = link
    this.#last = link
    return link
  }

  /** Returns false if the link was already removed. */
  remove(link: Linked<Value>): boolean {
    if (!link.isListed) return false
    const { previous, next } = link
    if (previous) previous.next = next
    else this.#first = next
    if (next) next.previous = previous
    else this.#last = previous
    Object.assign(link, { previous: null, next: null, isListed: false })
    return true
  }

  /** Returns a snapshot, so the list may change during iteration. */
  links(): Linked<Value>[] {
    const links: Linked<Value>[] = []
    for (let link = this.#first; link; link = link.next) links.push(link)
    return links
  }
}
