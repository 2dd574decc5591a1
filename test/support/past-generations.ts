/** Inserts records of past enhancements that never ran. */
import type { EnhancementWorld } from './enhancement-world.ts'

export async function insertPast(
  world: EnhancementWorld,
  name: string,
  count: number,
  change: Record<string, unknown> = {},
): Promise<void> {
  const userId = await world.idOf(name)
  const now = world.clock.now()
  await world.ctx.db
    .insertInto('enhancement_generations')
    .values(
      Array.from({ length: count }, () => ({
        user_id: userId,
        status: 'completed' as const,
        quality: 'low' as const,
        requested_provider: 'provider_a' as const,
        actual_provider: 'provider_a' as const,
        result_path: 'users/x/enhance/result/y.png',
        lease_until: now,
        created_at: now,
        updated_at: now,
        ...change,
      })),
    )
    .execute()
}

export function insertPending(world: EnhancementWorld, name: string, count: number): Promise<void> {
  const lease_until = new Date(world.clock.now().getTime() + 60_000)
  const pending = { status: 'pending', actual_provider: null, result_path: null, lease_until }
  return insertPast(world, name, count, pending)
}
