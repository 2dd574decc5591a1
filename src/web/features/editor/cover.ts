/** The picture that stands for a session: one of its slides, as the server has it. */
import { client } from '../../api.ts'
import type { OpenedSession, Slide } from '../sessions/session-data.ts'

export async function putCover(sessionId: number, slide: Slide) {
  return await client.sessions.update({
    params: { id: String(sessionId) },
    body: { thumbnail: stillOf(slide) },
  })
}

/** The slide of which the cover is the picture, where it is one. */
export function coverSlide({ session, media }: OpenedSession): Slide | null {
  return media.find((slide) => stillOf(slide) === session.thumbnail) ?? null
}

function stillOf({ thumbnail, mediaUrl }: Slide): string {
  return thumbnail ?? mediaUrl
}
