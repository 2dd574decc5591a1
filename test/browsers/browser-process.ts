/** A program that a browser consists of, started for some tests and ended with them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const startTimeoutMs = 60_000
const stopTimeoutMs = 10_000
const lookEveryMs = 50

export type BrowserProcess = {
  /** What `find` finds, given all that was printed so far; fails where the program ends before. */
  until<T>(find: (output: string) => T | null | Promise<T | null>): Promise<T>
  /** Asks it to end, and makes it after a while. */
  stop(): Promise<void>
}

export function startBrowserProcess(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): BrowserProcess {
  const child = spawn(file, args, {
    env: { ...process.env, ...environment },
    // The last is where Xvfb writes the number of its display.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of child.stdio.slice(1))
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  // Tests that are broken off leave no browser behind.
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  child.once('error', (error) => (output += error.message))
  return {
    async until(find) {
      const endsAt = Date.now() + startTimeoutMs
      while (isRunning(child) && Date.now() < endsAt) {
        const found = await find(output)
        if (found !== null) return found
        await sleep(lookEveryMs)
      }
      throw new Error(`${file} did not start:\n${output}`)
    },
    async stop() {
      if (!isRunning(child)) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await ended
      clearTimeout(timer)
    },
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}
