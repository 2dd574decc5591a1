/** All routes of captions. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { captionSession, readJob } from './batch/session-captions.ts'
import { generateManualCaption } from './editor/manual.ts'
import { rewriteCaption, rewriteCaptions } from './editor/rewrite.ts'
import { generateCaption } from './playback/playback.ts'
import { prewarmSession } from './playback/prewarm.ts'

export const captionRoutes = [
  route(api.captions.generate, generateCaption),
  route(api.captions.generateManual, generateManualCaption),
  route(api.captions.rewrite, rewriteCaption),
  route(api.captions.rewriteBatch, rewriteCaptions),
  route(api.captions.prewarm, prewarmSession),
  route(api.captions.captionSession, captionSession),
  route(api.captions.readJob, readJob),
]
