/** A world with guests of the community, and the addresses that they and members get. */
import type { ModerationWorld } from './moderation-world.ts'
import { createModerationWorld } from './moderation-world.ts'
import { plainJpeg } from './sample-media.ts'
import { putMedia } from './vault-media.ts'
import type { Person } from './world.ts'

export type GuestWorld = ModerationWorld & {
  /** Changes the setting, as an administrator does. */
  readonly letGuestsIn: (isPublic: boolean) => Promise<void>
  readonly suspend: (person: Person) => Promise<void>
  /** Publishes a session of pictures as safe; by default of one small picture. */
  readonly publishSafe: (
    person: Person,
    title: string,
    pictures?: readonly Promise<Uint8Array>[],
  ) => Promise<{ sessionId: string; id: string }>
}

/** Too small for other sizes, which take most of the time. */
export const smallPicture = (seed = 1) => plainJpeg({ width: 160, height: 120, seed })

export async function createGuestWorld(): Promise<GuestWorld> {
  const world = await createModerationWorld()
  return {
    ...world,
    async letGuestsIn(publicCommunity) {
      await (await world.moderator()).admin.changeSettings({ body: { publicCommunity } })
    },
    async suspend(person) {
      const params = { id: (await person.accounts.currentUser()).id }
      await (await world.moderator()).admin.changeUser({ params, body: { isActive: false } })
    },
    async publishSafe(person, title, pictures = [smallPicture()]) {
      const slides = []
      for (const picture of pictures)
        slides.push({ mediaId: Number(await putMedia(person, await picture)) })
      await world.runJobs()
      const { session } = await person.sessions.createManual({ body: { title, slides } })
      const sessionId = String(session.id)
      return { sessionId, id: await world.publish(person, sessionId, { nsfw: false }) }
    },
  }
}

export async function browse(person: Person) {
  return (await person.community.browse()).items
}

/** Returns every media address of an opened session and of its place in the list. */
export async function addressesFor(person: Person, id: string): Promise<string[]> {
  const { session, media } = await person.community.open({ params: { id } })
  const listed = (await browse(person)).filter((item) => item.id === Number(id))
  const all = [
    session.thumbnail,
    ...listed.map(({ thumbnail }) => thumbnail),
    ...media.flatMap(({ mediaUrl, thumbnail, sizes }) => [
      mediaUrl,
      thumbnail,
      ...Object.values(sizes ?? {}),
    ]),
  ]
  return [...new Set(all.filter((address) => typeof address === 'string'))]
}
