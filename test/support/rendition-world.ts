/**
 * Support for tests of picture sizes: large pictures in a vault, sessions that show them, and access to their
 * sizes.
 */
import { sharp } from '../../src/server/media/libvips.ts'
import { paint } from './sample-media.ts'
import { download, putMedia } from './vault-media.ts'
import type { Person, World } from './world.ts'

type Slide = Awaited<ReturnType<Person['sessions']['read']>>['media'][number]

/** Wider than all derived sizes. */
export const wide = { width: 2400, height: 1600 }

export const allWidths = ['320', '640', '1280', '1920']

/** Creates a session of vault files and runs all jobs. Returns its id as a path needs it. */
export async function showMedia(world: World, person: Person, ids: readonly string[]) {
  await world.runJobs()
  const slides = ids.map((id) => ({ mediaId: Number(id) }))
  const { session } = await person.sessions.createManual({ body: { title: 'Large', slides } })
  return String(session.id)
}

/** Creates a session of one large picture and runs all jobs. */
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

/** Downloads each size. */
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
