/** A world whose service sends its mail to a mail server of its own. */
import type { MailServer } from './mail-server.ts'
import { startMailServer } from './mail-server.ts'
import type { World } from './world.ts'
import { createWorld } from './world.ts'

export type MailWorld = World & { readonly mails: MailServer }

export async function createMailWorld(): Promise<MailWorld> {
  const mails = await startMailServer()
  const world = await createWorld(mails.settings)
  return {
    ...world,
    mails,
    async reset() {
      await world.reset()
      mails.mails.length = 0
      mails.mood = 'taking'
    },
    async close() {
      await world.close()
      await mails.close()
    },
  }
}
