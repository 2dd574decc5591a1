/** The shipped service with a user who has photographs and a session of them. */
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { createCookieJar, fetchWithCookies } from '../../test/support/cookie-jar.ts'
import { startService } from '../../test/support/service-process.ts'
import type { ClientOptions } from '../harness/goals.ts'

export type Site = Awaited<ReturnType<typeof startSite>>

const sizesTimeoutMs = 300_000
/** Polls slowly enough for the rate limits of the service. */
const pollMs = 4000

/**
 * Starts a site with the embedded database. A smoke run uses the PostgreSQL server that the run has already
 * started, because that is faster.
 */
export async function startSite(
  { name, scale, databases }: Pick<ClientOptions, 'scale' | 'databases'> & { name: string },
  settings: Record<string, string> = {},
) {
  await buildWebIfStale({ print: () => {} })
  const onServer = async () => ({ DATABASE_URL: await databases.create(name) })
  const place = await scale(() => Promise.resolve({}), onServer)()
  const service = await startService({ LOG_LEVEL: 'info', ...place, ...settings })
  const jar = createCookieJar()
  const client = createClient(api, { baseUrl: service.url, fetch: fetchWithCookies(jar) })
  await client.accounts.register({
    body: { email: 'ana@example.test', password: 'a long enough password' },
  })
  await client.accounts.completeOnboarding({ body: { contentRole: 'creator' } })

  async function upload(photographs: readonly Buffer[]): Promise<number[]> {
    const ids: number[] = []
    for (const [number, bytes] of photographs.entries()) {
      const file = new File([new Uint8Array(bytes)], `IMG_${number}.jpg`, { type: 'image/jpeg' })
      const { media } = await client.vault.upload({ form: { file } })
      if (media) ids.push(media.id)
    }
    return ids
  }

  /** Makes a session, and waits until the service has made the sizes that screens request. Returns its id. */
  async function makeSession(title: string, mediaIds: readonly number[]): Promise<number> {
    const slides = mediaIds.map((mediaId) => ({ mediaId, caption: 'What was to be seen there.' }))
    const { session } = await client.sessions.createManual({ body: { title, slides } })
    const deadlineMs = performance.now() + sizesTimeoutMs
    while (performance.now() < deadlineMs) {
      const { media } = await client.sessions.read({ params: { id: String(session.id) } })
      if (media.every(({ sizes }) => sizes !== null)) return session.id
      await new Promise((resolve) => setTimeout(resolve, scale(pollMs, 500)))
    }
    throw new Error('the sizes of the photographs were not made in time')
  }

  return {
    url: service.url,
    client,
    upload,
    makeSession,
    /** Returns the user's cookies, for a browser. */
    cookies: () =>
      jar
        .header()
        .split('; ')
        .map((cookie) => {
          const [name = '', ...value] = cookie.split('=')
          return { name, value: value.join('='), url: service.url }
        }),
    stop: () => service.stop(),
  }
}

/** Makes a picture like a camera's: soft shapes with a fine grain, so that every pixel has detail. */
export async function takePhotograph(
  number: number,
  { width, height }: { width: number; height: number },
): Promise<Buffer> {
  const plane = { channels: 3 as const, background: '#000' }
  const grain = await sharp({ create: { width, height, ...plane, noise: noise(28) } })
    .blur(0.9)
    .png({ compressionLevel: 0 })
    .toBuffer()
  const shapes = { width: 24 + number, height: 16 + number, ...plane, noise: noise(70) }
  const small = await sharp({ create: shapes }).png().toBuffer()
  return sharp(small)
    .resize(width, height, { kernel: 'cubic', fit: 'fill' })
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 88 })
    .toBuffer()
}

function noise(sigma: number) {
  return { type: 'gaussian', mean: 128, sigma } as const
}
