/** Sends the corpus of hostile pictures to every picture tool. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../src/client/client.ts'
import { ApiProblem } from '../../src/client/client.ts'
import { dataUri, plain, red } from './pictures.ts'
import { sharedFile } from './shared-corpora.ts'

export type CorpusFile = { readonly name: string; readonly bytes: Buffer }

export type Outcome = {
  readonly file: string
  readonly tool: string
  readonly status: number
  readonly ms: number
}

/** Returns the corpus, or every n-th file of it: only `npm run faults` has the time for all. */
export function readPictureCorpus({ every = 1 } = {}): CorpusFile[] {
  const folder = sharedFile('corpora/images')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .toSorted()
    .filter((_, index) => index % every === 0)
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
}

/** Returns the result of each tool for the file. Throws everything except a response of the service. */
export async function tryEveryTool(
  client: Pick<Client, 'images'>,
  { name, bytes }: CorpusFile,
): Promise<Outcome[]> {
  const picture = dataUri(bytes, 'application/octet-stream')
  const fine = dataUri(await plain(400, 300, red))
  const region = { x: 0.2, y: 0.2, width: 0.5, height: 0.5 }
  const { images } = client
  const tools: Record<string, () => Promise<unknown>> = {
    upload: () => images.uploadFirst({ form: { image: new Blob([new Uint8Array(bytes)]) } }),
    'compose, first': () => images.compose({ body: { babeImageUrl: picture, cockImageUrl: fine } }),
    'compose, second': () =>
      images.compose({ body: { babeImageUrl: fine, cockImageUrl: picture } }),
    blur: () =>
      images.censor({ body: { imageUrl: picture, regions: [region], mode: 'blur', strength: 3 } }),
    pixelate: () =>
      images.censor({
        body: { imageUrl: picture, regions: [region], mode: 'pixelate', strength: 3 },
      }),
    gif: () =>
      images.animate({
        body: {
          imageUrls: [picture, fine],
          frameMs: 200,
          effect: 'crossfade',
          size: 256,
          format: 'gif',
        },
      }),
    webp: () =>
      images.animate({
        body: {
          imageUrls: [fine, picture],
          frameMs: 200,
          effect: 'zoom',
          size: 256,
          format: 'webp',
        },
      }),
  }
  const outcomes: Outcome[] = []
  for (const [tool, call] of Object.entries(tools)) {
    const startedMs = performance.now()
    const status = await statusOf(call())
    outcomes.push({ file: name, tool, status, ms: performance.now() - startedMs })
  }
  return outcomes
}

async function statusOf(call: Promise<unknown>): Promise<number> {
  try {
    await call
    return 200
  } catch (error) {
    if (error instanceof ApiProblem) return error.status
    throw error
  }
}
