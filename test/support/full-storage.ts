/** Fills the storage of accounts completely, or up to a remaining size. */
import { expect } from 'vitest'
import { userIdOf } from './vault-world.ts'
import type { Person, World } from './world.ts'

const freeBytes = 5120 * 1_048_576

/** Inserts a large file as a row without content, by default with no space left. */
export async function fillStorage({ ctx }: World, person: Person, roomBytes = 0): Promise<void> {
  const userId = await userIdOf(person)
  await ctx.db.deleteFrom('stored_files').where('key', '=', largeKey(userId)).execute()
  const { usedBytes } = await person.storage.read()
  await ctx.db
    .insertInto('stored_files')
    .values({ key: largeKey(userId), user_id: userId, size: freeBytes - usedBytes - roomBytes })
    .execute()
}

function largeKey(userId: string): string {
  return `users/${userId}/Uploads/large.mp4`
}

/** The response to an upload without space. */
export const overQuota = {
  status: 413,
  body: {
    error: 'QUOTA_EXCEEDED',
    code: 'QUOTA_EXCEEDED',
    message: 'There is not enough space left in your storage',
    usedBytes: expect.any(Number),
    quotaBytes: freeBytes,
    suggestion: 'Delete what you no longer need, and empty the trash.',
  },
}
