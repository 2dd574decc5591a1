/**
 * Every benchmark still runs, once and with a tiny load. It must produce figures, but their values mean
 * nothing.
 */
import { readdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { runSmoke } from '../support/smoke-run.ts'

const compared = readdirSync(resolve(import.meta.dirname, '../../bench/benchmarks')).map((file) =>
  basename(file, '.ts'),
)
const withGoals = ['costs', 'pages', 'photos', 'rooms', 'footprint']

const round = z.object({
  requestsPerSecond: z.number().positive(),
  requestsPerCpuSecond: z.number().positive(),
  p99Ms: z.number().positive(),
})
const figures = z.object({ medians: z.record(z.string(), round) })
const goal = z.object({ what: z.string(), median: z.number(), goal: z.number() })

const reportShape = z.object({
  endedAt: z.iso.datetime(),
  benchmarks: z.array(
    z.object({
      name: z.string(),
      findings: z.array(z.union([figures, goal])).min(1),
      leftOut: z.array(z.string()),
      failures: z.array(z.string()),
    }),
  ),
})

let run: Awaited<ReturnType<typeof runSmoke>>
let benchmarks: z.infer<typeof reportShape>['benchmarks']

beforeAll(async () => {
  run = await runSmoke('bench/run.ts', 'bench-smoke.json')
  benchmarks = reportShape.parse(run.report).benchmarks
})

test('the run completes without a failure', () => {
  expect(benchmarks.flatMap(({ failures }) => failures)).toEqual([])
  expect(run.code, run.said).toBe(0)
  expect(benchmarks.map(({ name }) => name)).toEqual([...compared, ...withGoals])
})

describe('ours is timed beside every contender, or the run says why one is left out', () => {
  test.each(compared)('%s', (name) => {
    const found = benchmarks.find((benchmark) => benchmark.name === name)
    const leftOut = found?.leftOut.map((reason) => reason.split(':')[0]) ?? []
    const expected = ['conventional', 'ours', 'raw'].filter((name) => !leftOut.includes(name))
    expect(expected).toContain('raw')
    for (const reason of found?.leftOut ?? []) expect(run.said).toContain(reason)
    for (const finding of found?.findings ?? [])
      expect(Object.keys(figures.parse(finding).medians).toSorted()).toEqual(expected)
  })
})
