/** What tests of sizes need: large pictures in a vault, sessions that show them, looks at their sizes. */
import { sharp } from '../../src/server/media/libvips.ts'
import { paint } from './sample-media.ts'
import { download, putMedia } from './vault-media.ts'
import type { Person, World } from './world.ts'

type Slide = Awaited<ReturnType<Person['sessions']['read']>>['media'][number]

/** Wider than all sizes. */
export const wide = { width: 2400, height: 1600 }

export const allWidths = ['320', '640', '1280', '1920']

/** A session of files in the vault, with all jobs done; its id as a path wants it. */
export async function showMedia(world: World, person: Person, ids: readonly string[]) {
  await world.runJobs()
  const slides = ids.map((id) => ({ mediaId: Number(id) }))
  const { session } = await person.sessions.createManual({ body: { title: 'Large', slides } })
  return String(session.id)
}

/** A session of one large picture, with all jobs done. */
export async function showWide(world: World, person: Person, seed = 1) {
  const mediaId = await putMedia(
    person,
    await paint({ ...wide, seed })
      .jpeg()
      .toBuffer(),
  )
  return { mediaId, sessionId: await showMedia(world, person, [mediaId]) }
}

export async function slidesOf(person: Person, id: string): Promise<Slide[]> {
  return (await person.sessions.read({ params: { id } })).media
}

export function addressesOf(slides: readonly Pick<Slide, 'sizes'>[]): string[] {
  return slides.flatMap((slide) => entriesOf(slide).map(([, address]) => address))
}

/** Each size as it can be downloaded. */
export async function pictureSizes(world: World, slide: Pick<Slide, 'sizes'>) {
  return Promise.all(
    entriesOf(slide).map(async ([name, address]) => {
      const bytes = await download(world, address)
      const { width, height, format } = await sharp(bytes).metadata()
      return { name, width, height, format, bytes }
    }),
  )
}

function entriesOf({ sizes }: Pick<Slide, 'sizes'>): [name: string, address: string][] {
  return Object.entries(sizes ?? {}).flatMap(([name, address]) =>
    address === undefined ? [] : [[name, address]],
  )
}
