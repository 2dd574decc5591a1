/** Short calls for the actions of users with community sessions. */
import type { Person, World } from './world.ts'

export async function read(person: Person, id: string) {
  return (await person.sessions.read({ params: { id } })).session
}

export function open(person: Person, id: string) {
  return person.community.open({ params: { id } })
}

export function share(person: Person, id: string, body: object = {}) {
  return person.sessions.update({ params: { id }, body: { shareToCommunity: true, ...body } })
}

export function withdraw(person: Person, id: string) {
  return person.sessions.update({ params: { id }, body: { shareToCommunity: false } })
}

export function save(person: Person, id: string) {
  return person.community.save({ params: { id } })
}

export async function savedCount(person: Person, id: string): Promise<number> {
  return (await open(person, id)).session.savedCount
}

export async function publicationIds({ ctx }: World): Promise<number[]> {
  const rows = await ctx.db.selectFrom('community_publications').select('id').execute()
  return rows.map(({ id }) => id)
}
