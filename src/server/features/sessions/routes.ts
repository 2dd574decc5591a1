/** The routes of sessions. */
import { api } from '../../../contract/api.ts'
import type { Visitor } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { findOpenToAnyone } from '../share-links/share-links.ts'
import { duplicateSession } from './duplicate.ts'
import { followSession } from './events/events.ts'
import { refillSession } from './fill/refill.ts'
import { playSession, viewSlides } from './plays/plays.ts'
import { changeSession, createSession, listSessions, readSession } from './session-endpoints.ts'
import { changeSlide, createManualSession, replaceSlides } from './slides/slides.ts'

const codeOf = (visitor: Visitor) => visitor.header('x-share-code')

export const sessionRoutes = [
  route(api.sessions.list, listSessions),
  route(api.sessions.create, createSession),
  route(api.sessions.createManual, createManualSession),
  route(api.sessions.read, readSession),
  route(api.sessions.update, changeSession),
  route(api.sessions.replaceMedia, replaceSlides),
  route(api.sessions.updateMedia, changeSlide),
  route(api.sessions.duplicate, duplicateSession),
  route(api.sessions.refill, refillSession),
  route(api.sessions.events, followSession),
  route(api.sessions.play, playSession, {
    admitGuest: async (ctx, { visitor, params }) =>
      (await findOpenToAnyone(ctx, codeOf(visitor)))?.sessionId === Number(params['id']),
  }),
  route(api.sessions.view, viewSlides, {
    admitGuest: async (ctx, { visitor }) =>
      (await findOpenToAnyone(ctx, codeOf(visitor))) !== undefined,
  }),
]
