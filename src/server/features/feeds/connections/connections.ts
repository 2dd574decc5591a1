/**
 * Handles a person's connections to accounts elsewhere: checks and stores a key (encrypted), lists
 * connections without it, deletes them.
 */
import { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { route } from '../../../http/route.ts'
import { FeedUnavailable } from '../feed-source.ts'
import { sealKey } from './connection-keys.ts'
import type { ConnectionRow } from './connection-queries.ts'
import { deleteConnection, listConnectionsOf, putConnection } from './connection-queries.ts'

async function listConnections(ctx: Context, { user }: Call<typeof api.connections.list>) {
  return (await listConnectionsOf(ctx, user.id)).map(present)
}

async function connect(ctx: Context, { user, body }: Call<typeof api.connections.create>) {
  const { immich } = ctx.sources
  if (!immich) throw problem.connectionUnavailable()
  const { kind, apiKey } = body
  const name = await immich.check(apiKey).catch((error: unknown) => {
    if (!(error instanceof FeedUnavailable)) throw error
    throw problem.connectionRefused({ message: `Immich: ${error.words}` })
  })
  const sealedKey = sealKey(ctx, user.id, apiKey)
  return present(await putConnection(ctx, { userId: user.id, kind, name, sealedKey }))
}

async function disconnect(ctx: Context, { user, params }: Call<typeof api.connections.remove>) {
  if (!(await deleteConnection(ctx, user.id, params.id))) throw problem.connectionNotFound()
  return { message: 'Connection ended' }
}

function present({ createdAt, lastUsedAt, ...connection }: ConnectionRow) {
  return {
    ...connection,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}

export const connectionRoutes = [
  route(api.connections.list, listConnections),
  route(api.connections.create, connect),
  route(api.connections.remove, disconnect),
]
