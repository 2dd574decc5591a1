/**
 * Two nodes in this process on one database; on the embedded engine, which has only one process, a single
 * node.
 */
import { connectToServer } from '../../src/server/database/server.ts'
import { createFakeFeed } from './fake-feed.ts'
import { copyTemplate, engine } from './test-database.ts'
import type { World } from './world.ts'
import { createWorld } from './world.ts'

export type TwoNodes = {
  readonly nodeA: World
  readonly nodeB: World
  readonly close: () => Promise<void>
}

export async function createTwoNodes(extra: Record<string, string> = {}): Promise<TwoNodes> {
  const settings = { SESSION_SECRET: 'the same on both nodes', ...extra }
  if (engine === 'embedded') {
    console.info('one node: the embedded database has one process')
    const nodeA = await createWorld(settings, { feed: createFakeFeed() })
    return { nodeA, nodeB: nodeA, close: () => nodeA.close() }
  }
  const url = await copyTemplate()
  const open = async () =>
    createWorld(settings, { feed: createFakeFeed(), database: await connectToServer(url) })
  const nodeA = await open()
  const nodeB = await open()
  const close = async () => {
    await nodeA.close()
    await nodeB.close()
  }
  return { nodeA, nodeB, close }
}
