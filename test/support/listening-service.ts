/**
 * The service, which counts the event listeners of all its live objects in the file that LISTENERS names. It
 * collects garbage before each count.
 */
import { EventEmitter, getEventListeners } from 'node:events'
import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const file = process.env['LISTENERS'] ?? ''
const everyMs = 20_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const known = new WeakSet<EventEmitter | EventTarget>()
let all: WeakRef<EventEmitter | EventTarget>[] = []

function remember(prototype: object, names: readonly string[]): void {
  for (const name of names) {
    const original: unknown = Reflect.get(prototype, name)
    if (typeof original !== 'function') throw new Error(`nothing is called ${name}`)
    const remembering = function (this: EventEmitter | EventTarget, ...given: unknown[]): unknown {
      if (!known.has(this)) {
        known.add(this)
        all.push(new WeakRef(this))
      }
      return Reflect.apply(original, this, given)
    }
    Object.defineProperty(prototype, name, { value: remembering, writable: true })
  }
}

remember(EventEmitter.prototype, ['on', 'addListener', 'prependListener'])
remember(EventTarget.prototype, ['addEventListener'])

setInterval(() => {
  collect()
  all = all.filter((one) => one.deref() !== undefined)
  const count = all.reduce((sum, one) => sum + listenersOf(one.deref()), 0)
  writeFileSync(file, String(count))
}, everyMs).unref()

function listenersOf(target: EventEmitter | EventTarget | undefined): number {
  if (target === undefined) return 0
  if (!(target instanceof EventEmitter)) return getEventListeners(target, 'abort').length
  return target.eventNames().reduce((sum, name) => sum + target.listenerCount(name), 0)
}

await import('../../src/server/main.ts')
