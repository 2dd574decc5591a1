/** The picture that stands for a session: one of its slides, as the server has it. */
import { client } from '../../api.ts'
import type { OpenedSession, Slide } from '../sessions/session-data.ts'

export async function putCover(sessionId: number, slide: Slide) {
  const still = stillOf(slide)
  return await client.sessions.update({
    params: { id: String(sessionId) },
    body: still === null ? {} : { thumbnail: still },
  })
}

/** The slide of which the cover is the picture, where it is one. */
export function coverSlide({ session, media }: OpenedSession): Slide | null {
  const { thumbnail } = session
  if (thumbnail === null) return null
  return media.find((slide) => stillOf(slide) === thumbnail) ?? null
}

function stillOf({ thumbnail, mediaUrl }: Slide): string | null {
  return thumbnail ?? mediaUrl
}
