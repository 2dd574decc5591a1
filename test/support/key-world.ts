/** Programs in a world of tests: callers that come with an API key and no cookie. */
import type { KeyScope } from '../../src/contract/key-scopes.ts'
import type { Person, World } from './world.ts'

/** Someone who calls with this key and nothing else. */
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
