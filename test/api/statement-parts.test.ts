/** Statements made of several parts: their parameters are numbered together, and they run as one. */
import { expect, test } from 'vitest'
import type { Part } from '../../src/server/database/statement-parts.ts'
import { runParts } from '../../src/server/database/statement-parts.ts'
import { useWorld } from '../support/use-world.ts'
import type { World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World

useWorld(createWorld, async (fresh) => void (world = fresh))

const words = (first: string, second: string): Part => ({
  text: 'words as (select $1::text as first, $2::text as second)',
  parameters: [first, second],
})
const joined = (by: string): Part => ({
  text: `joined as (select first || $1::text || second || $1 as word from words)`,
  parameters: [by],
})
const number = (value: number): Part => ({
  text: 'number as (select $1::int as value)',
  parameters: [value],
})

test('each part numbers its own parameters, wherever it is placed', async () => {
  const answer = 'select word, value from joined cross join number'
  const run = (parts: readonly Part[]) => runParts(world.ctx, parts, answer)
  const made = [{ word: 'a-b-', value: 7 }]
  expect(await run([words('a', 'b'), joined('-'), number(7)])).toEqual(made)
  expect(await run([number(7), words('a', 'b'), joined('-')])).toEqual(made)
  expect(await run([words('c', 'd'), number(8), joined('+')])).toEqual([{ word: 'c+d+', value: 8 }])
})

test('the same parts compose several statements', async () => {
  const parts = [words('a', 'b')]
  expect(await runParts(world.ctx, parts, 'select first from words')).toEqual([{ first: 'a' }])
  expect(await runParts(world.ctx, parts, 'select second from words')).toEqual([{ second: 'b' }])
})
