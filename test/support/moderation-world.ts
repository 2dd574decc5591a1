/** A world with something to report: media and sessions that people share, and somebody who decides. */
import type { CommunityWorld } from './community-world.ts'
import { createCommunityWorld } from './community-world.ts'
import { putMedia } from './media-shelf.ts'
import { plainJpeg } from './sample-media.ts'
import type { Person } from './world.ts'

type Said = Parameters<Person['moderation']['report']>[0]['body']
export type Reason = Said['reason']

export type ModerationWorld = CommunityWorld & {
  /** An administrator of the site. */
  readonly moderator: () => Promise<Person>
  /** Of somebody without an account; the report's id as a path wants it. */
  readonly report: (target: object, reason?: Reason) => Promise<string>
  readonly resolve: (
    id: string,
    action: 'dismiss' | 'remove' | 'remove_and_block',
  ) => ReturnType<Person['moderation']['resolveReport']>
  /** A picture in the vault, shared by a link and with the community. */
  readonly shareMedia: (person: Person, picture?: Uint8Array) => Promise<SharedMedia>
  /** What an address answers to somebody. */
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

export async function createModerationWorld(): Promise<ModerationWorld> {
  const world = await createCommunityWorld()
  const moderator = async () => {
    const person = world.visitor()
    await person.accounts.devSignIn()
    return person
  }
  return {
    ...world,
    moderator,
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
    async statusOf(url, person = world.visitor()) {
      if (!url) throw new Error('there is no address')
      return (await person.fetch(url)).status
    },
  }
}
