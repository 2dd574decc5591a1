/** The stream of what happens to a session, read by hand. */
import { expect, test } from 'vitest'
import { followSession } from '../../src/web/session-events.ts'

function streamOf(...chunks: string[]): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
      controller.close()
    },
  })
  return new Response(body)
}

test('events are told in order, however they are cut, and a broken stream goes on where it stopped', async () => {
  const leaving = new AbortController()
  const answers = [
    streamOf('id: 4\nevent: session\nda', 'ta: {"id":1}\n\n: still here\n\nid: 5\n', 'event: cap'),
    streamOf('id: 5\nevent: caption\ndata: {"mediaId":7,"caption":"A: b"}\n\n'),
  ]
  const sent: unknown[] = []
  const told: unknown[] = []
  await followSession(1, {
    headers: { 'x-share-code': 'abc' },
    signal: leaving.signal,
    tell: (event) => void told.push(event),
    fetch: async (input, init) => {
      expect(input).toBe('/api/sessions/1/events')
      sent.push(init?.headers)
      const answer = answers.shift()
      if (!answer) leaving.abort()
      return answer ?? new Response(null, { status: 500 })
    },
    pause: async () => {},
  })
  expect(told).toEqual([
    { type: 'session', data: { id: 1 } },
    { type: 'caption', data: { mediaId: 7, caption: 'A: b' } },
  ])
  expect(sent.slice(0, 2)).toEqual([
    { 'x-share-code': 'abc' },
    { 'x-share-code': 'abc', 'last-event-id': '4' },
  ])
})

test('it gives up on a stream that is refused, and on one that breaks off at once again and again', async () => {
  const read = async (answer: () => Response) => {
    let asked = 0
    let breaks = 0
    await followSession(1, {
      signal: new AbortController().signal,
      tell: () => {},
      onBreak: () => void (breaks += 1),
      fetch: async () => {
        asked += 1
        return answer()
      },
      pause: async () => {},
    })
    return { asked, breaks }
  }
  expect(await read(() => new Response(null, { status: 403 }))).toEqual({ asked: 1, breaks: 0 })
  expect(await read(() => streamOf(''))).toEqual({ asked: 5, breaks: 5 })
})
