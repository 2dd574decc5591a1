/** Listens to the events of a session and records them. */
import { expect } from 'vitest'
import type { Person, World } from './world.ts'

export type Heard = { id: number; type: string; data: Record<string, unknown> }

export type Listening = {
  readonly status: number
  readonly response: Response
  readonly heard: readonly Heard[]
  /** Resolves when the server ends the stream normally; rejects when it is cut off. */
  readonly ended: Promise<void>
  readonly hangUp: () => void
}

export async function listenTo(
  person: Person,
  sessionId: number,
  headers: Record<string, string> = {},
): Promise<Listening> {
  return listenAt(person, `/api/sessions/${sessionId}/events`, headers)
}

/** Listens to an event stream at this path. Events without an id get 0. */
export async function listenAt(
  person: Person,
  path: string,
  headers: Record<string, string> = {},
): Promise<Listening> {
  const stop = new AbortController()
  const response = await person.fetch(path, {
    signal: stop.signal,
    headers,
  })
  const { status } = response
  const heard: Heard[] = []
  const hangUp = () => stop.abort()
  if (status !== 200) {
    await response.arrayBuffer()
    return { status, response, heard, ended: Promise.resolve(), hangUp }
  }
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const ended = readInto(heard, response)
  // A caller that hangs up does not await the end.
  ended.catch(() => {})
  return { status, response, heard, ended, hangUp }
}

/** Returns the same person on another node. */
export function on(world: World, person: Person): Person {
  const same = world.visitor()
  same.jar.set('connect.sid', person.jar.get('connect.sid') ?? '')
  return same
}

async function readInto(heard: Heard[], response: Response): Promise<void> {
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8')
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const [, id, type, data] = /^(?:id: (\d+)\n)?event: (\w+)\ndata: (.*)$/.exec(frame) ?? []
      if (type && data) heard.push({ id: Number(id ?? 0), type, data: JSON.parse(data) })
    }
  }
}
