/**
 * Implements `Idempotency-Key` for all paid endpoints: the same key gets the same response and one
 * charge.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../../contract/endpoint.ts'
import { problems } from '../../../../contract/problems.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import type { FormRead } from '../../../http/bodies/form.ts'
import type { Callers, PaidCall, Settle } from '../../../http/caller.ts'
import { Problem, problem } from '../../../http/problem.ts'
import { Settled } from '../../../http/reply.ts'
import { LeaseLost, withLease } from '../../../leases/lease.ts'
import { sha256 } from '../../../platform/signature.ts'
import { refund } from '../ledger/spending.ts'
import type { ChargedClaim, Claim, StoredAnswer } from './claims.ts'
import { claimKey, endFailedClaim, storeAnswer, leaseOf } from './claims.ts'
import { settleInterrupted } from './interrupted.ts'

export const answerOnce: Callers['answerOnce'] = async (
  ctx,
  endpoint,
  request,
  reply,
  call,
  handle,
) => {
  const key = keyOf(request)
  if (key === null) return handle(ctx, async (work) => new Settled(await work(ctx)))
  const { user } = call
  const requestHash = hashOf(endpoint, call)
  const standing = await claimKey(ctx, { userId: user.id, key, requestHash })
  switch (standing.kind) {
    case 'ours':
      return withLease(ctx, leaseOf(standing.claim), () =>
        runClaimed(ctx, endpoint, standing.claim, handle),
      )
    case 'answered':
      return sendStored(reply, standing.answer)
    case 'interrupted':
      return giveUp(ctx, standing.charged)
    case 'other request':
      throw problem.idempotencyConflict()
    case 'running':
      throw problem.idempotencyInProgress()
  }
}

function hashOf({ method, path }: Endpoint, { params, query, body, form = {} }: PaidCall) {
  const said = JSON.stringify([method, path, params, query, body])
  if (!('fields' in form && 'file' in form)) return sha256(said)
  const { fields, file } = form as FormRead
  const sent = sha256(file?.bytes ?? '').toString('hex')
  return sha256(`${said} ${JSON.stringify(fields)} ${sent}`)
}

async function runClaimed(
  ctx: Context,
  endpoint: Endpoint,
  claim: Claim,
  handle: (ctx: Context, settle: Settle) => Promise<unknown>,
): Promise<unknown> {
  const claimed = { ...ctx, claim }
  try {
    return await handle(claimed, (work) =>
      ctx.turns.inTurn(`account:${claim.userId}`, () =>
        atomically(claimed, async (ctx) => {
          const body = await work(ctx)
          await storeAnswer(ctx, claim, {
            status: endpoint.answer.status,
            body: present(endpoint, body),
          })
          return new Settled(body)
        }),
      ),
    )
  } catch (error) {
    if (error instanceof LeaseLost) throw problem.idempotencyInProgress()
    // After a debit, an unexpected failure is an interruption: it is unknown whether the work was done or
    // refunded.
    const final = error instanceof Problem ? error : problem.interrupted()
    // If even this fails, the lease expires and the next call decides.
    const ended = await endCharged(ctx, claim, answerOf(final)).catch(() => null)
    if (!ended || final === error) throw error
    ctx.log.error({ event: 'paid_call_interrupted', err: error }, 'a paid call was interrupted')
    throw final
  }
}

/**
 * Ends the claim. If it was charged, stores the failure and refunds the credits in the same transaction.
 */
function endCharged(
  ctx: Context,
  claim: Claim,
  answer: StoredAnswer,
): Promise<ChargedClaim | null> {
  return atomically(ctx, async (ctx) => {
    const ended = await endFailedClaim(ctx, claim, answer)
    if (ended?.debitId) await refund(ctx, ended.debitId, 'The work failed')
    return ended
  })
}

async function giveUp(ctx: Context, charged: ChargedClaim): Promise<never> {
  try {
    await settleInterrupted(ctx, charged)
  } catch (error) {
    // A concurrent call with the key has just settled it, or its node has responded after all.
    if (error instanceof LeaseLost) throw problem.idempotencyInProgress()
    throw error
  }
  throw problem.interrupted()
}

function answerOf({ failure, body }: Problem): StoredAnswer {
  return { status: failure.status, body }
}

function sendStored(reply: FastifyReply, answer: StoredAnswer) {
  return reply.status(answer.status).header('idempotent-replayed', 'true').send(answer.body)
}

function present(endpoint: Endpoint, body: unknown): unknown {
  return endpoint.answer.kind === 'json' ? endpoint.answer.body.parse(body) : body
}

function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && /^[\x21-\x7e]{1,200}$/.test(key)) return key
  throw new Problem(problems.validationFailed, {
    message: 'Validation failed: Idempotency-Key must have 1 to 200 visible ASCII characters',
  })
}
