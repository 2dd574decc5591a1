/** The open streams of a node, indexed by session and by account. */
import type { OpenStream } from './event-stream.ts'

export function createStreamSets() {
  const all = new Set<OpenStream>()
  const bySession = new Map<number, Set<OpenStream>>()
  const byUser = new Map<string, Set<OpenStream>>()
  const none: ReadonlySet<OpenStream> = new Set()
  return {
    get size() {
      return all.size
    },
    all: (): ReadonlySet<OpenStream> => all,
    has: (stream: OpenStream) => all.has(stream),
    sessionIds: () => bySession.keys(),
    ofSession: (sessionId: number) => bySession.get(sessionId) ?? none,
    ofUser: (userId: string) => byUser.get(userId) ?? none,
    add(stream: OpenStream): void {
      all.add(stream)
      addTo(bySession, stream.listener.grant.sessionId, stream)
      addTo(byUser, stream.listener.userId, stream)
    },
    remove(stream: OpenStream): void {
      all.delete(stream)
      removeFrom(bySession, stream.listener.grant.sessionId, stream)
      removeFrom(byUser, stream.listener.userId, stream)
    },
  }
}

function addTo<Key>(sets: Map<Key, Set<OpenStream>>, key: Key, stream: OpenStream): void {
  const set = sets.get(key) ?? new Set()
  sets.set(key, set.add(stream))
}

function removeFrom<Key>(sets: Map<Key, Set<OpenStream>>, key: Key, stream: OpenStream): void {
  const set = sets.get(key)
  set?.delete(stream)
  if (set?.size === 0) sets.delete(key)
}
