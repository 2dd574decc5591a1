/** Forms that end too early, on every endpoint that takes one: the contract's 400, and nothing remains. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/api.ts'
import { callEndpoint } from '../support/endpoint-caller.ts'
import { boundary, formOf, noTraces, samples, tracesIn } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
let ana: Person

beforeAll(async () => {
  world = await createWorld()
  ana = await world.as('ana')
  await ana.enhancement.giveConsent({ body: { version: 1 } })
})
afterAll(() => world.close())

const withForm = endpoints.flatMap(({ name, endpoint }) =>
  endpoint.form ? [{ name, endpoint, file: endpoint.form.file }] : [],
)

describe.each(withForm)('$name', ({ name, endpoint, file }) => {
  const whole = formOf([
    { name: 'quality', value: 'low' },
    { name: file, fileName: 'a.png', type: 'image/png', value: samples.png },
  ])
  const ending = Buffer.byteLength(`\r\n--${boundary}--\r\n`)

  test.each([
    ['no last boundary', whole.subarray(0, -ending)],
    ['half of its last boundary', whole.subarray(0, -10)],
    ['half of a file', whole.subarray(0, -ending - 20)],
    ['no file', whole.subarray(0, 60)],
    ['half of a head', whole.subarray(0, 160)],
    ['nothing at all', Buffer.alloc(0)],
    ['another boundary', Buffer.from('--another\r\n\r\n')],
  ])('a form that has %s is refused', async (_, form) => {
    // In one piece and in two: the second piece arrives while the file is already being read.
    for (const pieces of [[form], halves(form)]) {
      const answer = await callEndpoint(
        ana,
        { name, endpoint },
        {
          headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
          body: slowly(pieces),
        },
      )
      expect(answer).toMatchObject({ status: 400 })
    }
    expect(await tracesIn(world)).toEqual(noTraces)
  })
})

/** Splits off the last two bytes, which end the last line of the form. */
function halves(form: Buffer): Buffer[] {
  return [form.subarray(0, -2), form.subarray(-2)]
}

function slowly(pieces: readonly Buffer[]): ReadableStream<Uint8Array> {
  const left = [...pieces]
  return new ReadableStream({
    async pull(controller) {
      const next = left.shift()
      if (!next) return controller.close()
      controller.enqueue(new Uint8Array(next))
      await sleep(20)
    },
  })
}
