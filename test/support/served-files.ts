/**
 * Checks that uploaded files are served to others without scripts and without the photographer's metadata.
 */
import type { Client } from '../../src/client/client.ts'
import { ApiProblem } from '../../src/client/client.ts'
import type { CorpusFile } from './picture-corpus.ts'
import { hiddenScript } from './polyglots.ts'
import { privateTraces } from './private-traces.ts'

const maxSlides = 400
const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
}

export type Taken = { readonly name: string; readonly fileUrl: string }

/** Returns null for a refusal and throws everything else. */
export async function tryUpload(owner: Client, { name, bytes }: CorpusFile): Promise<Taken | null> {
  const ending = name.split('.').at(-1) ?? ''
  const type = types[ending] ?? 'image/jpeg'
  const file = new File([new Uint8Array(bytes)], type === 'image/jpeg' ? 'a.jpg' : `a.${ending}`, {
    type,
  })
  try {
    return { name, fileUrl: (await owner.vault.upload({ form: { file } })).fileUrl }
  } catch (error) {
    if (error instanceof ApiProblem && error.status < 500) return null
    throw error
  }
}

/** Puts the files in a public session. Returns the faults of each as another user receives it. */
export async function faultsOfServed(
  owner: Client,
  other: Client,
  files: readonly Taken[],
  url: string,
): Promise<{ served: number; faults: string[] }> {
  const slides = files.slice(0, maxSlides).map(({ fileUrl }) => ({ mediaUrl: fileUrl }))
  const body = { title: 'Everything', slides, isPublic: true }
  const { session } = await owner.sessions.createManual({ body })
  const { media } = await other.sessions.read({ params: { id: String(session.id) } })
  const faults: string[] = []
  let served = 0
  for (const [place, { mediaUrl }] of media.entries()) {
    const answer = await fetch(new URL(mediaUrl ?? '', url))
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (answer.status === 200) served += 1
    const found = [
      ...(await privateTraces(bytes)),
      ...(bytes.includes(hiddenScript) ? ['a script'] : []),
      ...wrongHeaders(answer.headers),
    ]
    if (found.length > 0) faults.push(`${files[place]?.name}: ${found.join(', ')}`)
  }
  return { served, faults }
}

/** Returns missing headers, without which a browser might treat a picture as a page. */
function wrongHeaders(headers: Headers): string[] {
  const isMedia = /^(image\/(jpeg|png|gif|webp|avif)|video\/)/.test(
    headers.get('content-type') ?? '',
  )
  const isKept = headers.get('x-content-type-options') === 'nosniff'
  const isShut = headers.get('content-security-policy')?.includes("default-src 'none'")
  return [
    ...(isMedia ? [] : [`it is ${headers.get('content-type')}`]),
    ...(isKept ? [] : ['its type can be guessed']),
    ...(isShut ? [] : ['it may run something']),
  ]
}
