/** A user with sessions, files and a link, who sends requests to any of the measured nodes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { createCookieJar, fetchWithCookies } from '../../test/support/cookie-jar.ts'
import type { Scale } from '../harness/scale.ts'
import { takePhotograph } from './site.ts'

export const slides = 25
export const publishedSessions = 10
const backgroundTimeoutMs = 300_000

export type Person = Awaited<ReturnType<typeof preparePerson>>

/** Painted once for all users: each takes seconds. */
let photographs: Promise<Buffer[]> | undefined

function paintPhotographs(scale: Scale): Promise<Buffer[]> {
  // At least as wide as the size that screens request.
  const size = scale({ width: 4000, height: 3000 }, { width: 1400, height: 1000 })
  return Promise.all(
    Array.from({ length: scale(3, 1) }, (_, number) => takePhotograph(number, size)),
  )
}

export async function preparePerson(url: string, scale: Scale) {
  const jar = createCookieJar()
  const client = createClient(api, { baseUrl: url, fetch: fetchWithCookies(jar) })
  await client.accounts.register({
    body: { email: 'ana@example.test', password: 'a long enough password' },
  })
  await client.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  const taken = await (photographs ??= paintPhotographs(scale))
  const fileOf = (number: number) => {
    const bytes = taken[number % taken.length] ?? Buffer.alloc(0)
    // Bytes after the end of the picture make each file different.
    const own = Buffer.concat([bytes, Buffer.from(String(number))])
    return new File([own], `${number}.jpg`, { type: 'image/jpeg' })
  }
  const { media } = await client.vault.upload({ form: { file: fileOf(0) } })
  const fileId = media?.id ?? 0
  const many = Array.from({ length: slides }, () => ({ mediaId: fileId, caption: 'Look.' }))
  const { session } = await client.sessions.createManual({ body: { title: 'Long', slides: many } })
  const published = scale(publishedSessions, 1)
  for (let number = 1; number < scale(50, 3); number += 1)
    await client.sessions.createManual({
      body: {
        title: `S ${number}`,
        slides: many.slice(0, 1),
        shareToCommunity: number <= published,
      },
    })
  const params = { id: String(session.id) }
  // Background jobs copy the pictures and make their sizes.
  await untilDone(async () => {
    const { items } = await client.community.browse({ query: { limit: '100' } })
    const { media } = await client.sessions.read({ params })
    return items.length >= published && media.every(({ sizes }) => sizes?.[1280])
  })
  const read = await client.sessions.read({ params })
  const { shareCode } = await client.sharing.shareSession({ params, body: {} })
  const headers = { cookie: jar.header() }
  const mediaIds = read.media.slice(0, 5).map(({ id }) => id)
  const post = (node: string, path: string, body: object) =>
    fetch(`${node}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    sessionId: session.id,
    shareCode,
    fileId,
    pictureUrl: read.media[0]?.mediaUrl ?? '',
    screenUrl: read.media[0]?.sizes?.[1280] ?? '',
    get: (node: string, path: string) => fetch(`${node}${path}`, { headers }),
    post,
    /** Starts a new play each time, because slides that were already viewed are not recorded again. */
    async play(node: string) {
      const begun = await post(node, `/api/sessions/${session.id}/play`, {})
      const { playId } = (await begun.json()) as { playId: number }
      return post(node, `/api/plays/${playId}/views`, { mediaIds })
    },
    upload(node: string, number: number) {
      const form = new FormData()
      form.set('file', fileOf(number))
      return fetch(`${node}/api/media/upload`, { method: 'POST', headers, body: form })
    },
  }
}

export async function untilDone(isDone: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + backgroundTimeoutMs
  while (!(await isDone())) {
    if (performance.now() > deadlineMs)
      throw new Error('what goes on behind a request has not ended')
    await sleep(200)
  }
}
