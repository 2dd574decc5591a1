/**
 * The entry point of the demo: everything that a fresh checkout shows without an account at any other
 * service. The server loads it in development only. This folder may import the same files of `src/` as any
 * feed source or caption provider.
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
