/**
 * A list in the order of arrival, from which anything can be taken out. It stands in for a Set where
 * things come and go by the thousand a second: a Set is rebuilt every few changes, and each table that
 * it leaves behind keeps what was in it alive until the whole heap is swept.
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

  /** False where it was taken out before. */
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

  /** Those that were in it at the start: it may be changed meanwhile. */
  links(): Linked<Value>[] {
    const links: Linked<Value>[] = []
    for (let link = this.#first; link; link = link.next) links.push(link)
    return links
  }
}
