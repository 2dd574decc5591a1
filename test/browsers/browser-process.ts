/** A program that belongs to a browser. It starts before some tests and ends after them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const startTimeoutMs = 60_000
const stopTimeoutMs = 10_000
const lookEveryMs = 50

export type BrowserProcess = {
  /** Returns the first result of `find`, which gets all output so far. Fails if the program ends first. */
  until<T>(find: (output: string) => T | null | Promise<T | null>): Promise<T>
  /** Sends SIGTERM, and kills the program after a while. */
  stop(): Promise<void>
}

export function startBrowserProcess(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): BrowserProcess {
  const child = spawn(file, args, {
    env: { ...process.env, ...environment },
    // Xvfb writes the number of its display to the last one.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of child.stdio.slice(1))
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  // Kills the browser when the tests are interrupted.
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
