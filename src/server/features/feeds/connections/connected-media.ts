/**
 * Serves GET /media/connected/<connection>/<asset>/<form>?g=<grant>&s=<signature>: streams media of a
 * connected account to holders of this capability URL, while a slide of the account's owner shows it. The
 * owner can see it even before it is on a slide.
 */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../context.ts'
import type { OutsideAddress } from '../../../http/media/media-url.ts'
import {
  outsideOfMediaUrl,
  readOutsideAddress,
  signOutsideUrl,
} from '../../../http/media/media-url.ts'
import { streamToReader } from '../../../http/media/read-stream.ts'
import { problem, unavailable } from '../../../http/problem.ts'
import { visitorOf } from '../../../http/visitor.ts'
import { limitAddress } from '../../../platform/client-ip.ts'
import type { Fetched } from '../../../platform/fetch/safe-fetch.ts'
import { FetchRefused } from '../../../platform/fetch/user-url.ts'
import { claimOf, findViewer, grantOpensFile } from '../../files/files.ts'
import type { AssetForm, ImmichServer } from '../adapters/immich-server.ts'
import { assetForms } from '../adapters/immich-server.ts'
import type { FeedSource } from '../feed-source.ts'
import type { Keeping, OpenConnection } from './connection-keys.ts'
import { openConnection } from './connection-keys.ts'
import { findShownConnection } from './connection-queries.ts'

type AssetAddress = { readonly connectionId: string; readonly id: string; readonly form: AssetForm }

export function connectedUrl({ config }: Pick<Context, 'config'>, asset: AssetAddress): string {
  const key = `${asset.connectionId}/${asset.id}/${asset.form}`
  return signOutsideUrl(config.sessionSecrets, 'connected', { key, grant: null })
}

/** Creates a reader of media on slides, for code that copies or processes them. */
export function openConnectedBy(ctx: Keeping, server: ImmichServer) {
  const open: NonNullable<FeedSource['openOwn']> = async (path, bounds) => {
    const address = outsideOfMediaUrl(ctx.config.sessionSecrets, 'connected', path)
    const asset = address && assetOf(address)
    if (!asset) return null
    const found = await findShownConnection(ctx, asset.connectionId, asset.id)
    const connection = found?.isShown ? await openConnection(ctx, found) : null
    if (!connection) return null
    const fetched = await server.open(connection.apiKey, asset, bounds ?? {})
    if (fetched.status === 200) return fetched.body
    await fetched.discard()
    return null
  }
  return open
}

export function mountConnectedMedia(app: FastifyInstance, ctx: Context): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/connected/*',
    async handler(request, reply) {
      const address = readOutsideAddress('connected', claimOf(ctx, request))
      const asset = address && assetOf(address)
      const server = ctx.sources.immich
      if (!address || !asset || !server) throw problem.notFound()
      const connection = await openFor(ctx, address, asset, () => findViewer(ctx, request))
      if (!connection) throw problem.notFound()
      const streaming = {
        viewer: limitAddress(visitorOf(request, ctx.config.trustedProxies).ip),
        link: address.grant ?? connection.id,
      }
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const passed = { headers: passedOf(request.headers), streaming, signal: gone.signal }
      const fetched = await fetchShown(ctx, server, connection, asset, passed)
      const answer = answerOf(fetched)
      const isBare = request.method === 'HEAD' || !answer || answer.status > 206
      if (isBare) await fetched.discard()
      if (!answer) throw problem.notFound()
      reply.status(answer.status).headers(answer.headers)
      return isBare ? reply.send() : reply.send(streamToReader(fetched.body))
    },
  })
}

/** Returns null when the slide, its session, the connection or the grant no longer exists. */
async function openFor(
  ctx: Context,
  { key, grant }: OutsideAddress,
  { connectionId, id }: AssetAddress,
  findAsker: () => Promise<{ readonly id: string } | null>,
): Promise<OpenConnection | null> {
  if (grant !== null && !(await grantOpensFile(ctx, grant, key, 'connected'))) return null
  const found = await findShownConnection(ctx, connectionId, id)
  if (!found) return null
  const isOpen = found.isShown || (grant === null && (await findAsker())?.id === found.userId)
  return isOpen ? openConnection(ctx, found) : null
}

/**
 * Opens the asset with the reader's range and cache headers. A refused fetch becomes a 'temporarily
 * unavailable' error.
 */
async function fetchShown(
  ctx: Context,
  server: ImmichServer,
  { apiKey }: OpenConnection,
  asset: AssetAddress,
  passed: NonNullable<Parameters<ImmichServer['open']>[2]>,
): Promise<Fetched> {
  try {
    return await server.open(apiKey, asset, passed)
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error
    ctx.log.warn(
      { event: 'connection_failed', reason: error.reason },
      'Immich did not return a picture',
    )
    throw unavailable('The server with this picture cannot be reached')
  }
}

function passedOf(asked: Readonly<Record<string, string | string[] | undefined>>) {
  const passed = ['range', 'if-range', 'if-none-match'].flatMap((name) => {
    const value = asked[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return Object.fromEntries(passed)
}

const passedHeaders = ['content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified']

function answerOf({ status, headers }: Fetched) {
  const type = headers['content-type'] ?? ''
  const isMedia = /^(?:image\/(?:jpeg|png|webp|gif|avif)|video\/(?:mp4|webm|quicktime))\b/.test(
    type,
  )
  const common = { 'cache-control': 'private, max-age=60', 'x-content-type-options': 'nosniff' }
  if (status === 304 || status === 416)
    return { status, headers: { ...common, 'content-length': '0' } }
  if ((status !== 200 && status !== 206) || !isMedia) return null
  const passed = passedHeaders.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { status, headers: { ...common, 'content-type': type, ...Object.fromEntries(passed) } }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function assetOf({ key }: OutsideAddress): AssetAddress | null {
  const [connectionId = '', id = '', formName, ...rest] = key.split('/')
  const form = assetForms.find((form) => form === formName)
  return form && rest.length === 0 && uuid.test(connectionId) ? { connectionId, id, form } : null
}
