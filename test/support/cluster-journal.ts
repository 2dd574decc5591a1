/** A user who uploads files and creates sessions all the time, and knows later which ones must exist. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiProblem } from '../../src/client/client.ts'
import { LostInFlight } from './cluster-wire.ts'
import type { Stage } from './scenes/stage.ts'
import { upload } from './vault-world.ts'
import type { Person } from './world.ts'

export async function keepWriting(stage: Stage) {
  const uma = await stage.adult('uma')
  const files = new Set<number>()
  const sessions = new Set<number>()
  const state = { isOver: false }
  const refusals: string[] = []
  const attempt = async (write: () => Promise<unknown>) => {
    try {
      await write()
    } catch (error) {
      if (error instanceof ApiProblem) refusals.push(error.message)
      else if (!(error instanceof LostInFlight)) throw error
    }
  }
  const going = (async () => {
    for (let number = 1; !state.isOver; number += 1) {
      await attempt(async () => void files.add((await upload(uma, `${number}.png`)).mediaId))
      const mediaId = [...files].at(-1)
      if (mediaId === undefined) continue
      const body = { title: `Number ${number}`, slides: [{ mediaId }] }
      await attempt(async () => {
        sessions.add((await uma.sessions.createManual({ body })).session.id)
      })
      await sleep(100)
    }
  })()
  // Awaited at the end, where a failure is reported.
  going.catch(() => {})
  return {
    acknowledged: () => files.size + sessions.size,
    refusals,
    /** Returns the number of acknowledged items that are missing. */
    async missing() {
      state.isOver = true
      await going
      return countMissing(uma, files, sessions)
    },
  }
}

async function countMissing(
  person: Person,
  files: ReadonlySet<number>,
  sessions: ReadonlySet<number>,
): Promise<number> {
  const found = new Set<number>()
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await person.vault.list({ query: { limit: '100', ...(cursor && { cursor }) } })
    for (const { id } of page.files) found.add(id)
    cursor = page.nextCursor
  }
  let missing = [...files].filter((id) => !found.has(id)).length
  for (const id of sessions) {
    const { status } = await person.fetch(`/api/sessions/${id}`)
    if (status !== 200) missing += 1
  }
  return missing
}
