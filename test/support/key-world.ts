/** Programs in a test world: callers with an API key and no cookie. */
import type { KeyScope } from '../../src/contract/key-scopes.ts'
import type { Person, World } from './world.ts'

/** Returns a caller with only this key. */
export function withKey(world: World, key: string): Person {
  return world.visitor({ authorization: `Bearer ${key}` })
}

export async function programOf(
  world: World,
  owner: Person,
  scopes: readonly [KeyScope, ...KeyScope[]],
): Promise<Person> {
  const { key } = await owner.keys.create({ body: { name: 'A program', scopes: [...scopes] } })
  return withKey(world, key)
}
