/**
 * Stores the results of a run in a JSON file and prints them as they arrive, so a run that ends early has
 * reported its measurements.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { reasonOf } from '../../src/server/platform/start-error.ts'
import { cpuOfTreeMs } from '../../test/support/process-figures.ts'
import type { GoalFinding } from './goals.ts'
import { goalLine } from './goals.ts'
import type { Finding } from './report.ts'
import { tableOf } from './report.ts'

/** One benchmark of the file. */
type Entry = {
  readonly name: string
  readonly findings: (Finding | GoalFinding)[]
  /** Contenders that could not take part, with the reasons. These are not failures. */
  readonly leftOut: string[]
  /** Parts that failed or could not be compared. */
  readonly failures: string[]
  /** Null while it runs. */
  seconds: number | null
  /** The processor time of the run and everything that it started, if Linux reports it. */
  cpuSeconds: number | null
}

/** Callbacks by which a benchmark reports results and failures. */
export type Notes = {
  readonly found: (finding: Finding | GoalFinding) => void
  readonly leftOut: (reason: string) => void
  readonly failed: (reason: string) => void
}

export type Journal = {
  /** Runs one benchmark. An error is recorded as a failure, and the next one can run. */
  readonly run: (name: string, measure: (notes: Notes) => Promise<void>) => Promise<void>
  /** Records the end of the whole run. Returns its comparisons, and the numbers of figures and failures. */
  readonly end: () => {
    readonly figures: number
    readonly failures: number
    readonly findings: readonly Finding[]
  }
  readonly text: () => string
}

export function openJournal(
  file: string,
  about: Readonly<Record<string, unknown>>,
  print: (text: string) => void,
): Journal {
  const entries: Entry[] = []
  const startedAt = new Date().toISOString()
  let endedAt: string | null = null
  const text = () =>
    `${JSON.stringify({ ...about, startedAt, endedAt, benchmarks: entries }, null, 2)}\n`
  const write = () => writeFileSync(file, text())
  mkdirSync(dirname(file), { recursive: true })
  write()

  const notesOf = (entry: Entry): Notes => {
    const note = (list: string[], words: string) => (reason: string) => {
      list.push(reason)
      print(`${entry.name}: ${words}${reason}\n`)
      write()
    }
    return {
      found(finding) {
        entry.findings.push(finding)
        print('medians' in finding ? `\n${tableOf(finding)}\n` : `${goalLine(finding)}\n`)
        write()
      },
      leftOut: note(entry.leftOut, 'left out: '),
      failed: note(entry.failures, 'FAILED: '),
    }
  }

  return {
    async run(name, measure) {
      const entry: Entry = {
        name,
        findings: [],
        leftOut: [],
        failures: [],
        seconds: null,
        cpuSeconds: null,
      }
      entries.push(entry)
      const notes = notesOf(entry)
      const [beganMs, cpuBeforeMs] = [performance.now(), cpuOfTreeMs(process.pid)]
      try {
        await measure(notes)
      } catch (error) {
        notes.failed(reasonOf(error))
      }
      entry.seconds = inSeconds(performance.now() - beganMs)
      entry.cpuSeconds = inSeconds(cpuOfTreeMs(process.pid) - cpuBeforeMs)
      write()
    },
    end() {
      endedAt = new Date().toISOString()
      write()
      return {
        figures: entries.reduce((sum, { findings }) => sum + findings.length, 0),
        failures: entries.reduce((sum, { failures }) => sum + failures.length, 0),
        findings: entries.flatMap(({ findings }) =>
          findings.filter((finding) => 'medians' in finding),
        ),
      }
    },
    text,
  }
}

function inSeconds(ms: number): number {
  return Math.round(ms / 100) / 10
}
