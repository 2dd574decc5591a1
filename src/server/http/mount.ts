/**
 * Mounts an endpoint. Every request passes the same checks in the same order: cross-site check, rate limit,
 * sign-in, schemas, handler, response schema. A limit that counts by user is checked after the sign-in.
 */
import { finished } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountProblems } from '../../contract/accounts.ts'
import type { Endpoint, Form } from '../../contract/endpoint.ts'
import { changesState, needsSignIn, unauthorizedOf } from '../../contract/endpoint.ts'
import { problems } from '../../contract/problems.ts'
import type { Context } from '../context.ts'
import { isDatabaseOutage } from '../database/outage.ts'
import { inAccountScope } from '../platform/concurrency/account-scope.ts'
import { isOutage } from '../platform/outage.ts'
import { findCaller, findGuest, requireAccess } from './access.ts'
import type { BodyShare } from './bodies/body-memory.ts'
import { bodyMemory } from './bodies/body-memory.ts'
import { isUrlEncoded, readBody } from './bodies/body.ts'
import { isMultipart, readForm, readWholeForm, tooLargeOf } from './bodies/form.ts'
import { acquireLargeBody, isLarge } from './bodies/large-bodies.ts'
import type { Callers, Settle, SignedInUser, Visitor } from './caller.ts'
import { isCrossSite } from './cross-site.ts'
import type { Token } from './limits/request-limit.ts'
import { refuseWithoutToken, requestLimit } from './limits/request-limit.ts'
import { Problem, problem } from './problem.ts'
import { readPublicly, rememberWriter } from './public-reads.ts'
import type { Afterwards } from './reply.ts'
import { Redirect, setCookie, Settled } from './reply.ts'
import type { Route } from './route.ts'
import { send } from './send.ts'
import { isStorable } from './storable-text.ts'
import { parseInput } from './validation.ts'
import { visitorOf } from './visitor.ts'

/** The state of a request that the checks have collected. */
type Visit = {
  readonly visitor: Visitor
  user: SignedInUser | null
  token: Token | null
  /** The memory of a large body that is read whole, held until the request is answered. */
  memory: BodyShare | null
  succeeded: boolean
  isCounted: boolean
}

const jsonMaxBytes = 1_048_576

export function mount(
  app: FastifyInstance,
  ctx: Context,
  name: string,
  { endpoint, handle, admit, admitBeforeLimit, admitGuest, admitByPath, isPublicRead }: Route,
  callers: Callers,
) {
  const limit = requestLimit(ctx, endpoint)
  const isForMembers = needsSignIn(endpoint)
  const refusesCrossSite = changesState(endpoint)
  const visits = new WeakMap<FastifyRequest, Visit>()
  const visitOf = (request: FastifyRequest): Visit => {
    let visit = visits.get(request)
    if (!visit) {
      const visitor = visitorOf(request, ctx.config.trustedProxies)
      visit = {
        visitor,
        user: null,
        token: null,
        memory: null,
        succeeded: false,
        isCounted: false,
      }
      visits.set(request, visit)
    }
    return visit
  }
  const passLimit = async (visit: Visit) => {
    if (!limit) return
    visit.token = await limit.take({ ip: visit.visitor.ip, userId: visit.user?.id })
    refuseWithoutToken(visit.token)
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply, visit: Visit) => {
    const requestCtx = { ...ctx, log: request.log }
    if (admit && visit.user) await admit(requestCtx, { user: visit.user })
    const call = await callOf(requestCtx, endpoint, request, reply, visit, callers)
    const go = (ctx: Context) => run(ctx, { endpoint, handle }, request, reply, call, callers)
    const going = isPublicRead ? readPublicly(requestCtx, visit.visitor, go) : go(requestCtx)
    const result = await going.catch(async (error: unknown) => {
      await refuseDeleted(requestCtx, endpoint, visit, error, callers)
      return crash(requestCtx, endpoint, error)
    })
    if (reply.sent) return reply
    visit.succeeded = !(result instanceof Redirect && result.failed)
    if (result instanceof Settled && result.afterwards)
      void runAfterwards(requestCtx, reply, result.afterwards)
    return send(ctx, endpoint, reply, result)
  }

  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { name },
    async onRequest(request, reply) {
      void reply.header('cache-control', 'no-store')
      const visit = visitOf(request)
      // Checked before the limit: a page of another site must not use up its visitor's tokens here. Only a
      // browser's cookie can be sent without its owner's intent; a key is always sent on purpose.
      if (
        refusesCrossSite &&
        visit.visitor.key === null &&
        isCrossSite(request.headers, ctx.config.baseUrl)
      )
        throw problem.crossSite()
      if (refusesCrossSite) rememberWriter(ctx, reply)
      if (!limit?.byUser) await passLimit(visit)
      const params = request.params as Record<string, string>
      const requireUser = () => findMember(ctx, endpoint, reply, visit, callers)
      await admitByPath?.(ctx, { ...visit, params, requireUser })
      if (isForMembers) {
        visit.user = await findCaller(ctx, visit.visitor, callers)
        const isStranger = !visit.user && visit.visitor.key === null
        const isGuest = isStranger && (await admitGuest?.(ctx, { ...visit, params }))
        if (!isGuest) requireAccess(endpoint, visit.user)
        if (visit.user) await admitBeforeLimit?.(ctx, { user: visit.user })
      }
      if (visit.user?.renewal) setCookie(ctx, reply, visit.user.renewal)
      if (limit?.byUser) await passLimit(visit)
      if (visit.user && isLarge(request.raw, endpoint)) {
        acquireLargeBody(visit.user.id, request.raw, reply.raw)
        if (isReadWhole(endpoint, request)) visit.memory = bodyMemory.open(visit.user.id)
        reply.raw.once('close', () => visit.memory?.release())
      }
    },
    async handler(request, reply) {
      const visit = visitOf(request)
      const { user, visitor } = visit
      // Only the account: work that outlives the request, such as timers, keeps the scope in memory.
      const scope = { account: user?.id ?? visitor.ip, isAwaited: true }
      try {
        return await inAccountScope(scope, () => answer(request, reply, visit))
      } catch (error) {
        visit.succeeded = error instanceof Problem && isUncounted(endpoint, error)
        throw error
      } finally {
        visit.memory?.release()
      }
    },
    ...(limit && {
      async onSend(request: FastifyRequest, reply: FastifyReply) {
        const { token, succeeded, isCounted } = visitOf(request)
        if (!token) return
        const outcome = { status: reply.statusCode, succeeded, isCounted }
        const headers = await limit.settle(token, outcome)
        // A refusal by another limit has already set its headers.
        if (!reply.hasHeader('x-ratelimit-limit')) void reply.headers(headers)
      },
    }),
  })
}

/** Answers a paid call of a signed-in user by its Idempotency-Key. Runs other calls directly. */
function run(
  ctx: Context,
  { endpoint, handle }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  call: Awaited<ReturnType<typeof callOf>>,
  callers: Callers,
): Promise<unknown> {
  const { user } = call
  if (!endpoint.price) return handle(ctx, call as never)
  const settle: Settle = async (work) => new Settled(await work(ctx))
  if (!user) return handle(ctx, { ...call, settle } as never)
  return callers.answerOnce(ctx, endpoint, request, reply, { ...call, user }, (ctx, settle) =>
    handle(ctx, { ...call, settle } as never),
  )
}

async function runAfterwards(ctx: Context, reply: FastifyReply, work: Afterwards): Promise<void> {
  const wasSent = await finished(reply.raw).then(
    () => true,
    () => false,
  )
  await work({ wasSent }).catch((error: unknown) =>
    ctx.log.error({ event: 'afterwards_failed', err: error }, 'work after a response failed'),
  )
}

/** Answers 401 for an account that was deleted during the call, as for a caller without a sign-in. */
async function refuseDeleted(
  ctx: Context,
  endpoint: Endpoint,
  { user, visitor }: Visit,
  error: unknown,
  callers: Callers,
): Promise<void> {
  const isExpected = error instanceof Problem && error.failure !== accountProblems.userNotFound
  if (!user || isExpected || isDatabaseOutage(error)) return
  // If the database does not answer either, the first failure is reported.
  const isGone = await findCaller(ctx, visitor, callers).then(
    (found) => found === null,
    () => false,
  )
  if (isGone) throw new Problem(unauthorizedOf(endpoint))
}

/** Throws the endpoint's own failure for an unexpected error, if it declares one. */
function crash(ctx: Context, endpoint: Endpoint, error: unknown): never {
  if (!endpoint.crashed || error instanceof Problem || isOutage(error)) throw error
  ctx.log.error({ event: 'request_failed', err: error }, 'request failed')
  throw new Problem(endpoint.crashed)
}

function isUncounted({ uncounted = [] }: Endpoint, { failure }: Problem): boolean {
  return uncounted.includes(failure)
}

async function callOf(
  ctx: Context,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  callers: Callers,
) {
  const invalid = endpoint.invalid ?? problems.validationFailed
  // A parameter that cannot be stored matches no row: the endpoint has its own failure for that.
  if (!isStorable(request.params)) throw new Problem(endpoint.badParams ?? problems.invalidId)
  if (!isStorable(request.query))
    throw problem.badRequest({ message: 'The address contains characters that cannot be stored' })
  const sent =
    endpoint.body && !isForm(endpoint, request) ? await bodyOf(endpoint, request, visit) : undefined
  let found: Promise<SignedInUser | null> | null = null
  return {
    visitor: visit.visitor,
    user: visit.user,
    countToken: () => void (visit.isCounted = true),
    findUser: () => (found ??= findActive(ctx, endpoint, reply, visit, callers)),
    params:
      endpoint.params &&
      parseInput(endpoint.params, request.params, endpoint.badParams ?? problems.invalidId),
    query: endpoint.query && parseInput(endpoint.query, request.query, invalid),
    body:
      endpoint.body && sent !== undefined ? parseInput(endpoint.body, sent, invalid) : undefined,
    ...(endpoint.form && { form: await formOf(endpoint, endpoint.form, request, visit) }),
  }
}

async function findActive(
  ctx: Context,
  endpoint: Endpoint,
  reply: FastifyReply,
  { visitor }: Visit,
  callers: Callers,
): Promise<SignedInUser | null> {
  const user = await findGuest(ctx, endpoint, visitor, callers)
  if (user?.renewal) setCookie(ctx, reply, user.renewal)
  return user
}

/** Requires an account at an endpoint that is open to anyone, with the same checks as elsewhere. */
async function findMember(
  ctx: Context,
  endpoint: Endpoint,
  reply: FastifyReply,
  { visitor }: Visit,
  callers: Callers,
): Promise<SignedInUser> {
  const user = await findCaller(ctx, visitor, callers)
  requireAccess(endpoint, user)
  if (user.renewal) setCookie(ctx, reply, user.renewal)
  return user
}

function isForm(endpoint: Endpoint, request: FastifyRequest): boolean {
  return endpoint.form !== undefined && isMultipart(request.raw)
}

function isReadWhole(endpoint: Endpoint, request: FastifyRequest): boolean {
  return !isForm(endpoint, request) || endpoint.form?.inMemoryMaxBytes !== undefined
}

function formOf(endpoint: Endpoint, form: Form, { raw }: FastifyRequest, { memory }: Visit) {
  const { inMemoryMaxBytes } = form
  if (inMemoryMaxBytes !== undefined)
    return readWholeForm(raw, endpoint, { ...form, inMemoryMaxBytes }, memory)
  const parts = (options: { maxFileBytes: number }) => readForm(raw, options)
  return { isMultipart: isMultipart(raw), parts }
}

async function bodyOf(endpoint: Endpoint, { raw }: FastifyRequest, { memory }: Visit) {
  if ((isUrlEncoded(raw) && !endpoint.acceptsForm) || isMultipart(raw))
    throw problem.unsupportedMediaType({ message: 'The body must be JSON' })
  const { bodyMaxBytes: maxBytes = jsonMaxBytes } = endpoint
  const tooLarge = endpoint.bodyMaxBytes === undefined ? null : tooLargeOf(endpoint)
  const body = await readBody(raw, { maxBytes, tooLarge: tooLarge ?? problems.tooLarge, memory })
  return body ?? {}
}
