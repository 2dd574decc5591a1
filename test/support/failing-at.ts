/** Stands for what breaks in the middle of something. */

/** The same, but for one method, which fails as a dead connection does. */
export function failingAt<T extends object>(target: T, name: keyof T): T {
  return new Proxy(target, {
    get(of, property) {
      if (property === name) throw new Error('the process has ended')
      const value: unknown = Reflect.get(of, property, of)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
}
