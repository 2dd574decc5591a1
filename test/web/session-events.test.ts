/** The client of a session's event stream: parsing and reconnecting. */
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

test('events are delivered in order, however they are cut, and a broken stream resumes', async () => {
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
    network: new EventTarget(),
    onEvent: (event) => void told.push(event),
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

test('a stream that is refused ends; one that breaks is opened again after longer and longer pauses', async () => {
  const read = async (answer: () => Response, tries: number) => {
    const leaving = new AbortController()
    const pausesMs: number[] = []
    let asked = 0
    let breaks = 0
    await followSession(1, {
      signal: leaving.signal,
      network: new EventTarget(),
      onEvent: () => {},
      onBreak: () => void (breaks += 1),
      fetch: async () => {
        asked += 1
        return answer()
      },
      pause: async (ms) => {
        pausesMs.push(ms)
        if (pausesMs.length === tries) leaving.abort()
      },
    })
    return { asked, breaks, pausesMs }
  }
  for (const status of [401, 403, 404, 410])
    expect(await read(() => new Response(null, { status }), 3)).toEqual({
      asked: 1,
      breaks: 0,
      pausesMs: [],
    })
  for (const answer of [
    () => streamOf(''),
    () => new Response(null, { status: 502 }),
    () => new Response(null, { status: 429 }),
  ]) {
    const { asked, breaks, pausesMs } = await read(answer, 8)
    expect({ asked, breaks }).toEqual({ asked: 8, breaks: 8 })
    expect(pausesMs[4]).toBeGreaterThan((pausesMs[0] ?? 0) * 4)
    expect(Math.max(...pausesMs)).toBeLessThanOrEqual(30_000)
  }
})

test('a network that is back ends the pause', async () => {
  const leaving = new AbortController()
  const network = new EventTarget()
  let asked = 0
  await followSession(1, {
    signal: leaving.signal,
    network,
    onEvent: () => {},
    firstPauseMs: 3_600_000,
    longestPauseMs: 3_600_000,
    onBreak: () => void setTimeout(() => network.dispatchEvent(new Event('online'))),
    fetch: async () => {
      asked += 1
      if (asked === 3) leaving.abort()
      return new Response(null, { status: 503 })
    },
  })
  expect(asked).toBe(3)
})
