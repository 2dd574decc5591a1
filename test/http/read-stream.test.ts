/** A stream that the client does not read is closed; one that it reads arrives complete. */
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { streamToReader } from '../../src/server/http/media/read-stream.ts'

function createContent(chunks: number) {
  const state = { given: 0, isLeft: false }
  const content = (async function* () {
    try {
      while (state.given < chunks) {
        state.given += 1
        yield Buffer.alloc(65_536, 1)
      }
    } finally {
      state.isLeft = true
    }
  })()
  return { content, state }
}

test('an unread stream ends, and releases its source', async () => {
  const { content, state } = createContent(1000)
  const stream = streamToReader(content, { pauseMs: 5 })
  // Starts to fill, and is then left alone.
  stream.read(0)
  await once(stream, 'close')
  expect(state.isLeft).toBe(true)
  expect(state.given).toBeLessThan(10)
})

test('a stream that is read arrives completely', async () => {
  const { content, state } = createContent(50)
  let bytes = 0
  for await (const chunk of streamToReader(content)) bytes += (chunk as Buffer).length
  expect(bytes).toBe(50 * 65_536)
  expect(state.isLeft).toBe(true)
})
