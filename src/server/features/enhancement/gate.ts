/** Lets so many in at once. Whoever waits keeps their place in the line, until they give up. */
export type Gate = {
  /** The way out, or null where there is no room at this moment. */
  enterNow(): (() => void) | null
  /** Resolves with the way out. Rejects with the signal's reason when that comes first. */
  enter(signal: AbortSignal): Promise<() => void>
}

export function createGate(atOnce: number): Gate {
  const line = new Set<() => void>()
  let inside = 0

  const leave = () => {
    const [next] = line
    if (next) next()
    else inside -= 1
  }

  const wayOut = () => {
    let hasLeft = false
    return () => {
      if (!hasLeft) leave()
      hasLeft = true
    }
  }

  const enterNow = () => {
    if (inside >= atOnce) return null
    inside += 1
    return wayOut()
  }

  return {
    enterNow,
    async enter(signal) {
      signal.throwIfAborted()
      const entered = enterNow()
      if (entered) return entered
      await place(line, signal)
      return wayOut()
    },
  }
}

function place(line: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const letIn = () => {
      line.delete(letIn)
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = () => {
      line.delete(letIn)
      reject(signal.reason as Error)
    }
    line.add(letIn)
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
