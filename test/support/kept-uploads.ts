/** Uploads pictures all the time and checks later that they exist. */
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { Caller } from './outage-stage.ts'
import { noise } from './pictures.ts'

export type Upload = { readonly id: number; readonly sha256: string }

/** Uploads until stopped, and records each acknowledged file. */
export function keepUploading(caller: Caller) {
  const acknowledged: Upload[] = []
  const over = new AbortController()
  const going = (async () => {
    for (let seed = 1; !over.signal.aborted; seed += 1) {
      const bytes = await noise(24, 24, 'png', seed)
      const form = new FormData()
      form.set('file', new File([new Uint8Array(bytes)], `${seed}.png`, { type: 'image/png' }))
      const { status, body } = await caller('/api/media/upload', { method: 'POST', body: form })
      if (status !== 200) continue
      const { media } = body as { media: { id: number } }
      acknowledged.push({ id: media.id, sha256: sha256(bytes) })
    }
  })()
  return {
    acknowledged,
    stop: async () => {
      over.abort()
      await going
    },
  }
}

/** Expects the uploads at another address of the same site, with the existing sign-in. */
export async function expectUploads(
  caller: Caller,
  url: string,
  uploads: readonly Upload[],
): Promise<void> {
  const found = new Map<number, string>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await caller(`${url}/api/user/media?limit=200${cursor && `&cursor=${cursor}`}`)
    // The cookie of the old site is valid on the new one: the secret was copied too.
    expect(answer.status).toBe(200)
    const page = answer.body as { files: { id: number; url: string }[]; nextCursor: string | null }
    for (const file of page.files) found.set(file.id, new URL(file.url, url).href)
    cursor = page.nextCursor
  }
  for (const { id, sha256: expected } of uploads) {
    const answer = await fetch(found.get(id) ?? '')
    expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(expected)
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
