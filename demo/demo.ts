/**
 * The demo's door: everything a fresh checkout shows without an account anywhere. The server opens it
 * in development only; this folder may ask of `src/` what any feed or caption writer may.
 */
import { join } from 'node:path'
import type { OpenDemo } from '../src/server/load-demo.ts'
import { createDemoFeed } from './feed/feed.ts'
import { createDemoFiles } from './feed/files.ts'
import { mountFiles } from './feed/routes.ts'
import { createNarrator } from './narration/narrator.ts'
import { createPainter } from './painting/painter.ts'
import { paintAhead } from './seeding/paint-ahead.ts'
import {
  giveOpeningSession,
  giveSeededSessions,
  publishSeededSessions,
} from './seeding/seeded-sessions.ts'

export const openDemo: OpenDemo = ({ dataDir, now, log }) => {
  const folder = join(dataDir, 'demo')
  const painter = createPainter({ folder, now })
  const files = createDemoFiles({ folder, painter })
  return {
    feed: createDemoFeed(files),
    captions: createNarrator(),
    mount: (app) => mountFiles(app, files),
    giveSessions: giveSeededSessions,
    publishSessions: publishSeededSessions,
    giveOpening: giveOpeningSession,
    paintFirst: (options) => paintAhead(painter, log, options),
    close: () => painter.close(),
  }
}
