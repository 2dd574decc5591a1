/** Users of every role, for tests of permissions. */
import type { Person, World } from './world.ts'

type Role = 'user' | 'admin' | 'super_admin'

/** Returns a signed-in user with a role. */
export async function withRole(world: World, name: string, role: Role): Promise<Person> {
  const person = await world.as(name)
  await setRole(world, name, role)
  return person
}

export async function setRole({ ctx }: World, name: string, role: Role): Promise<void> {
  await ctx.db.updateTable('users').set({ role }).where('email', '=', emailOf(name)).execute()
}

export function emailOf(name: string): string {
  return `${name}@example.test`
}

/** Returns the logged changes by administrators, newest first. */
export function changesLogged({ ctx }: World) {
  return ctx.db
    .selectFrom('activity_log')
    .select(['user_id as userId', 'target_user_id as targetUserId', 'feature', 'details'])
    .where('action', '=', 'admin_changed')
    .orderBy('id', 'desc')
    .execute()
}
