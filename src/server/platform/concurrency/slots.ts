/** A number of places for work that waits on others; who waits too long for one leaves the line. */
export type InSlot = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>

export function createSlots(count: number): InSlot {
  let free = count
  const waiting = new Set<() => void>()

  const take = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(enter)
        reject(signal.reason)
      }
      const enter = () => {
        signal.removeEventListener('abort', leave)
        waiting.delete(enter)
        resolve()
      }
      if (signal.aborted) reject(signal.reason)
      else if (free > 0) {
        free -= 1
        resolve()
      } else {
        waiting.add(enter)
        signal.addEventListener('abort', leave, { once: true })
      }
    })

  const giveBack = () => {
    const [next] = waiting
    if (next) next()
    else free += 1
  }

  return async (signal, work) => {
    await take(signal)
    try {
      return await work()
    } finally {
      giveBack()
    }
  }
}
