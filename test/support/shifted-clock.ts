/** Shifts the clock of this process, and that of a database inside it. */

/** Replaces Date. Returns a function that sets the shift. */
export function takeClock(): (shiftMs: number) => void {
  const RealDate = Date
  let shiftMs = 0
  const now = () => RealDate.now() + shiftMs
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, self) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, self) as object,
    apply: () => new RealDate(now()).toString(),
    get: (target, name, self) =>
      name === 'now' ? now : (Reflect.get(target, name, self) as unknown),
  })
  return (ms) => void (shiftMs = ms)
}
