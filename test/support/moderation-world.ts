/**
 * A world for moderation: shared media and sessions, people who report them, and an administrator who
 * decides.
 */
import type { CommunityWorld } from './community-world.ts'
import { createCommunityWorld } from './community-world.ts'
import { dataUri } from './pictures.ts'
import { plainJpeg } from './sample-media.ts'
import { putMedia } from './vault-media.ts'
import type { Person } from './world.ts'

type Said = Parameters<Person['moderation']['report']>[0]['body']
export type Reason = Said['reason']

export type ModerationWorld = CommunityWorld & {
  /** Returns an administrator of the site. */
  readonly moderator: () => Promise<Person>
  /** Reports anonymously. Returns the report's id as a path needs it. */
  readonly report: (target: object, reason?: Reason) => Promise<string>
  readonly resolve: (
    id: string,
    action: 'dismiss' | 'remove' | 'remove_and_block',
  ) => ReturnType<Person['moderation']['resolveReport']>
  /** Uploads a picture and shares it by a link and in the community. */
  readonly shareMedia: (person: Person, picture?: Uint8Array) => Promise<SharedMedia>
  /** Publishes a session of the user's own pictures. */
  readonly publishPictures: (
    person: Person,
    seeds: readonly number[],
  ) => Promise<{ mediaIds: string[]; sessionId: string; id: string }>
  /** Returns the addresses of a session's slides and thumbnails. */
  readonly addressesOf: (person: Person, sessionId: number) => Promise<string[]>
  /** Composes it with another picture and keeps the result in the vault. */
  readonly compose: (person: Person, first: string) => ReturnType<Person['images']['compose']>
  /** Returns the distinct statuses of these addresses. */
  readonly statusesOf: (urls: readonly string[], person?: Person) => Promise<number[]>
  /** Returns the status of an address for a person. */
  readonly statusOf: (url: string | null | undefined, person?: Person) => Promise<number>
}

export type SharedMedia = {
  readonly id: string
  readonly url: string
  readonly shareCode: string
  readonly communityId: number
  readonly communityUrl: string
}

export const aPicture = (seed = 1) => plainJpeg({ width: 640, height: 480, seed })

export async function createModerationWorld(
  options: { webFolder?: string } = {},
): Promise<ModerationWorld> {
  const world = await createCommunityWorld(options)
  const moderator = async () => {
    const person = world.visitor()
    await person.accounts.devSignIn()
    return person
  }
  const statusOf = async (url: string | null | undefined, person = world.visitor()) => {
    if (!url) throw new Error('there is no address')
    return (await person.fetch(url)).status
  }
  return {
    ...world,
    moderator,
    statusOf,
    async statusesOf(urls, person) {
      return [...new Set(await Promise.all(urls.map((url) => statusOf(url, person))))]
    },
    async publishPictures(person, seeds) {
      const mediaIds: string[] = []
      for (const seed of seeds) mediaIds.push(await putMedia(person, await aPicture(seed)))
      await world.runJobs()
      const slides = mediaIds.map((id) => ({ mediaId: Number(id) }))
      const { session } = await person.sessions.createManual({ body: { title: 'Mine', slides } })
      const sessionId = String(session.id)
      return { mediaIds, sessionId, id: await world.publish(person, sessionId) }
    },
    async addressesOf(person, sessionId) {
      const { media } = await person.sessions.read({ params: { id: String(sessionId) } })
      return media.flatMap(({ mediaUrl, thumbnail }) =>
        [mediaUrl, thumbnail].filter((url) => url !== null),
      )
    },
    async compose(person, first) {
      const cockImageUrl = dataUri(await aPicture(99), 'image/jpeg')
      return person.images.compose({
        body: { babeImageUrl: first, cockImageUrl, saveToVault: true },
      })
    },
    async report(target, reason = 'non_consensual') {
      const body = { ...target, reason, details: 'That is me' } as Said
      return String((await world.visitor().moderation.report({ body })).reportId)
    },
    async resolve(id, action) {
      const body = { action, note: 'Looked at' }
      return (await moderator()).moderation.resolveReport({ params: { id }, body })
    },
    async shareMedia(person, picture) {
      const id = await putMedia(person, picture ?? (await aPicture()))
      await world.runJobs()
      const body = { shareToCommunity: true, policyAgreed: true, tags: ['night'], nsfw: false }
      const shared = await person.vault.share({ params: { id }, body })
      const { files } = await person.vault.list()
      const file = files.find((one) => String(one.id) === id)
      if (!file || !shared.communityUrl || !shared.communityMediaId)
        throw new Error('the picture was not shared')
      return {
        id,
        url: file.url,
        shareCode: shared.shareCode,
        communityId: shared.communityMediaId,
        communityUrl: shared.communityUrl,
      }
    },
  }
}
