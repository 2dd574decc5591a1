/** Sets the cover of a session to the picture of a slide, as the server stores it. */
import { client } from '../../api.ts'
import type { OpenedSession, Slide } from '../sessions/session-data.ts'

export async function putCover(sessionId: number, slide: Slide) {
  const still = stillOf(slide)
  return await client.sessions.update({
    params: { id: String(sessionId) },
    body: still === null ? {} : { thumbnail: still },
  })
}

/** Returns the slide that the cover shows, or null. */
export function coverSlide({ session, media }: OpenedSession): Slide | null {
  const { thumbnail } = session
  if (thumbnail === null) return null
  return media.find((slide) => stillOf(slide) === thumbnail) ?? null
}

function stillOf({ thumbnail, mediaUrl }: Slide): string | null {
  return thumbnail ?? mediaUrl
}
