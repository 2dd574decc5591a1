/**
 * Files that another application shares with this one. They arrive as a form that no server receives.
 * They stay on the device until a signed-in user makes a session of them.
 */
import { sharedCache } from './kept-names.ts'

/** More than the slides of a session. The page shows which files are left out. */
const maxFiles = 600
const importPage = '/import?shared'

export type Shared = { readonly files: File[]; readonly text: string }

/** Stores shared files, in the worker. Replaces earlier files that no page has taken. */
export async function takeShared(request: Request): Promise<Response> {
  try {
    const form = await request.formData()
    await caches.delete(sharedCache)
    const cache = await caches.open(sharedCache)
    const files = form.getAll('files').filter((part) => part instanceof File)
    for (const [index, file] of files.slice(0, maxFiles).entries())
      await cache.put(`/shared/${index}`, responseOf(file))
    const texts = ['url', 'text', 'title'].map((name) => form.get(name))
    // Prefer the address, or a text that contains one, to the title.
    const text = texts.find((part) => typeof part === 'string' && part.trim() !== '') ?? ''
    await cache.put('/shared/text', new Response(text))
    return Response.redirect(importPage, 303)
  } catch {
    // Delete incomplete data.
    await caches.delete(sharedCache)
    return Response.redirect(`${importPage}=full`, 303)
  }
}

function responseOf(file: File): Response {
  return new Response(file, {
    headers: {
      'content-type': file.type,
      'x-name': encodeURIComponent(file.name),
      'x-modified': String(file.lastModified),
    },
  })
}

/**
 * Reads the shared files, on the page. They stay until `forgetShared`, so that reloading the page loses
 * nothing.
 */
export async function readShared(): Promise<Shared> {
  const empty: Shared = { files: [], text: '' }
  if (!('caches' in globalThis) || !(await caches.has(sharedCache))) return empty
  const cache = await caches.open(sharedCache)
  const files: File[] = []
  for (const request of await cache.keys()) {
    const kept = await cache.match(request)
    const name = kept?.headers.get('x-name')
    if (!kept || name === null || name === undefined) continue
    files.push(
      new File([await kept.blob()], decodeURIComponent(name), {
        type: kept.headers.get('content-type') ?? '',
        lastModified: Number(kept.headers.get('x-modified') ?? 0),
      }),
    )
  }
  const text = (await (await cache.match('/shared/text'))?.text()) ?? ''
  return { files, text: files.length > 0 ? '' : text }
}

/** Deletes the shared files after the page has started to use them. */
export async function forgetShared(): Promise<void> {
  if ('caches' in globalThis) await caches.delete(sharedCache)
}
