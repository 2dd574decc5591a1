/** Simulates a failure in the middle of an operation. */

/** Returns the target with one method that fails like a dead connection. */
export function failingAt<T extends object>(target: T, name: keyof T): T {
  return new Proxy(target, {
    get(of, property) {
      if (property === name) throw new Error('the process has ended')
      const value: unknown = Reflect.get(of, property, of)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
}
