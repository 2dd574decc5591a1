/** The cheapest checks of `npm run faults` still run and pass, with the smallest load. */
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { allRows, readRow } from '../support/fault-rows.ts'
import { runSmoke } from '../support/smoke-run.ts'

const reportShape = z.object({
  endedAt: z.iso.datetime(),
  checks: z.array(
    z.object({
      row: z.string(),
      load: z.string(),
      measured: z.string(),
      misses: z.array(z.string()),
      hasVerdict: z.boolean(),
    }),
  ),
})

let run: Awaited<ReturnType<typeof runSmoke>>

beforeAll(async () => {
  run = await runSmoke('scripts/faults.ts', 'faults-smoke.json')
})

test('every check of the smoke has a verdict, and holds', async () => {
  const { checks } = reportShape.parse(run.report)
  const broken = checks.filter(({ misses, hasVerdict }) => misses.length > 0 || !hasVerdict)
  expect(broken).toEqual([])
  const expected: string[] = []
  for (const name of await allRows())
    for (const { inSmoke, load } of (await readRow(name)).checks)
      if (inSmoke) expected.push(`${name}: ${load}`)
  expect(checks.map(({ row, load }) => `${row}: ${load}`).toSorted()).toEqual(expected.toSorted())
  expect(run.code, run.said).toBe(0)
})
