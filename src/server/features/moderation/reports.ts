/**
 * Reports by anyone, and the decisions about them. The two urgent reasons hide the subject in the
 * transaction of the report. A decision settles every open report about the same subject. Owners are
 * notified of both. A report about a minor is the exception: its owner is notified only if it is
 * dismissed, so that an accused person is not warned.
 */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { Visitor } from '../../http/caller.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { limitAddress } from '../../platform/client-ip.ts'
import { allSignaturesOf } from '../../platform/signature.ts'
import { logActivity } from '../activity/activity.ts'
import { ownersAddress } from '../files/files.ts'
import { blockHashes, hashesOfSubject } from './blocked-pictures.ts'
import { notify } from './notice-queries.ts'
import type { DecidableReport, ReportRow } from './report-queries.ts'
import {
  decideReports,
  findReport,
  findTarget,
  forgetReportedOwner,
  insertReport,
  listReportRows,
  lockReport,
} from './report-queries.ts'
import { findReach } from './report-reach-queries.ts'
import { isDistrusted } from './report-trust-queries.ts'
import { dismissalsCountSince, hide, hold, lift, remove } from './takedowns.ts'

const urgentReasons: ReadonlySet<string> = new Set(['non_consensual', 'minor'])

export async function reportContent(
  ctx: Context,
  { visitor, body }: Call<typeof api.moderation.report>,
) {
  const names = reporterNames(ctx, visitor)
  const [reporter] = names
  const reportId = await atomically(ctx, async (ctx) => {
    const target = await findTarget(ctx, body)
    if (!target) throw problem.notFound()
    const isQuarantine = body.reason === 'minor'
    const isUrgent = urgentReasons.has(body.reason)
    const mayHide = isUrgent && !(await isDistrusted(ctx, names, dismissalsCountSince(ctx)))
    const takedown = mayHide ? await hide(ctx, target.subject, { isQuarantine }) : null
    const id = await insertReport(ctx, body, target, { takedownId: takedown?.id ?? null, reporter })
    if (takedown?.isNew && !isQuarantine)
      await notify(
        ctx,
        target.subject.ownerId,
        `“${target.title}” was reported and is hidden until somebody has looked at it.`,
      )
    return id
  })
  return { reportId }
}

export async function listReports(
  ctx: Context,
  { query: { status, limit, cursor } }: Call<typeof api.moderation.listReports>,
) {
  const rows = await listReportRows(ctx, { status, after: cursor ?? null, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    items: page.map((row) => present(ctx, row)),
    nextCursor: last ? String(last.id) : null,
  }
}

export async function readReach(ctx: Context, { params }: Call<typeof api.moderation.reportReach>) {
  const reach = await findReach(ctx, params.id)
  if (!reach) throw problem.notFound()
  return reach
}

export async function resolveReport(
  ctx: Context,
  { user, visitor, params, body }: Call<typeof api.moderation.resolveReport>,
) {
  const { action, note } = body
  const asked = requireOpen(await findReport(ctx, params.id), user.id)
  // Hash the pictures before the transaction: it takes time.
  const seen =
    action === 'remove_and_block' && asked.subject ? await hashesOfSubject(ctx, asked.subject) : []
  return atomically(ctx, async (ctx) => {
    // Lock the takedown before the reports, so that two decisions about the same subject run one after
    // the other.
    const isAboutSomething = asked.subject !== null || asked.takedownId !== null
    const takedown = isAboutSomething ? await hold(ctx, asked.subject, asked.takedownId) : undefined
    const report = requireOpen(await lockReport(ctx, params.id), user.id)
    const decided = await decideReports(ctx, report, { action, note, decidedBy: user.id })
    const isQuarantine = decided.some(({ reason }) => reason === 'minor')
    if (action === 'dismiss') await lift(ctx, takedown)
    else await remove(ctx, report.subject, takedown, { isQuarantine })
    const known = decided.flatMap(({ hashes }) => hashes)
    const pictures = action === 'remove_and_block' ? differentOf([...seen, ...known]) : []
    await blockHashes(ctx, report.row.id, pictures)
    if (action === 'dismiss' || !isQuarantine)
      await notify(ctx, report.ownerId, wordsOf(action, report.title))
    await logActivity(ctx, visitor, {
      userId: user.id,
      action: 'report_resolved',
      feature: 'moderation',
      details: { action, note, reportIds: decided.map(({ id }) => id) },
    })
    const after = await findReport(ctx, params.id)
    await forgetReportedOwner(ctx, report.ownerId)
    if (!after) throw problem.notFound()
    return { ...present(ctx, after.row), blockedPictures: pictures.length }
  })
}

/**
 * Returns signatures of the reporter's rate limit address, which do not reveal it: the stored form, and
 * those with earlier secrets.
 */
function reporterNames(ctx: Context, visitor: Visitor) {
  return allSignaturesOf(ctx.config.sessionSecrets, 'reporter', limitAddress(visitor.ip))
}

/** Refuses decided reports, and reports about the moderator's own content. */
function requireOpen(report: DecidableReport | undefined, userId: string): DecidableReport {
  if (!report) throw problem.notFound()
  if (report.row.action !== null)
    throw problem.alreadyExists({ message: 'This report has been decided' })
  if (report.ownerId === userId) throw problem.forbidden()
  return report
}

/** Removes duplicate pictures, compared by the hash of the unchanged picture. */
function differentOf(pictures: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(pictures.map((hashes) => [hashes[0], hashes])).values()]
}

function wordsOf(action: 'dismiss' | 'remove' | 'remove_and_block', title: string): string {
  if (action === 'dismiss')
    return `A report about “${title}” was looked at and dismissed. Everything is as it was.`
  return `“${title}” was taken down after a report. It can no longer be shared or published.`
}

function present(ctx: Context, { evidence, ...row }: ReportRow) {
  const { files, addresses, title, ownerId, ownerName } = evidence
  const urls = [
    ...files.map((file) => mediaUrlOf(ctx, file)),
    // Moderators see hidden files, and files whose access grant has ended.
    ...addresses.map((address) => ownersAddress(ctx, address)),
  ]
  return { ...row, evidence: { title, ownerId, ownerName, urls } }
}
