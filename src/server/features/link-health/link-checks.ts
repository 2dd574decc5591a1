/**
 * Checks regularly whether sites still have the pictures of slides. Replaces missing pictures if
 * allowed, otherwise marks them, and records it in the session. If a run dies, later runs repeat its
 * work.
 */
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { defineJob } from '../../jobs/job.ts'
import { forEachLimit } from '../../platform/concurrency/semaphore.ts'
import { logActivity } from '../activity/activity.ts'
import { lockSession, recountSlides, emitEvent } from '../sessions/sessions.ts'
import { createLinkRequester } from './link-requests.ts'
import type { Replacements } from './link-replacements.ts'
import { applyReplacements, findReplacements } from './link-replacements.ts'
import type { Verdict } from './link-verdicts.ts'
import { judgeLink } from './link-verdicts.ts'
import type { DueLink } from './queries.ts'
import { claimDueLinks, recordChecks, recordLinkHealth } from './queries.ts'

type CheckedSlide = DueLink & Verdict

const max = 500
const maxPerHost = 100
const maxPerOwner = 50
const hostsAtOnce = 8
/** Time limits from the start of the run. The job itself ends after ten minutes. */
const askingMs = 4 * 60_000
const replacingMs = 8 * 60_000
/** Longer than a run. */
const heldMs = 15 * 60_000

export const checkLinks = defineJob({
  name: 'check-links',
  payload: z.object({}),
  retries: 1,
  timeLimitSeconds: 600,
  schedule: '*/10 * * * *',
  run: (ctx) => checkDueLinks(ctx),
})

export async function checkDueLinks(ctx: Context): Promise<void> {
  if (!ctx.config.linkChecks) return
  const startMs = ctx.now().getTime()
  const heldUntil = new Date(startMs + heldMs)
  const isOver = (ms: number) => ctx.stopping.aborted || ctx.now().getTime() > startMs + ms
  const due = await claimDueLinks(ctx, { max, maxPerHost, maxPerOwner, heldUntil })
  const asker = await createLinkRequester(ctx)
  const checked: CheckedSlide[] = []
  // One request at a time to each site.
  const hosts = Map.groupBy(due, ({ host }) => host)
  await forEachLimit(hosts.values(), hostsAtOnce, async (links) => {
    for (const link of links) {
      if (isOver(askingMs)) return
      const finding = await asker.ask(link.mediaUrl, link.host)
      if (finding === null) return
      checked.push({ ...link, ...judgeLink(link, finding, ctx.now()) })
    }
  })
  // Store results that need no replacement first, because the search for replacements may take long.
  for (const [sessionId, slides] of bySession(checked, { isDead: false })) {
    if (ctx.stopping.aborted) return
    await atomically(ctx, (ctx) => settle(ctx, sessionId, slides, new Map()))
  }
  for (const [sessionId, slides] of bySession(checked, { isDead: true })) {
    if (ctx.stopping.aborted) return
    const rotten = new Set(slides.map(({ slideId }) => slideId))
    const search = { sessionId, rotten, isOver: () => isOver(replacingMs) }
    const { found, left } = await findReplacements(ctx, asker, search)
    const dueAgain = slides.map((slide) =>
      left.has(slide.slideId) ? { ...slide, checkAt: heldUntil } : slide,
    )
    await atomically(ctx, (ctx) => settle(ctx, sessionId, dueAgain, found))
  }
}

function bySession(checked: readonly CheckedSlide[], { isDead }: Pick<Verdict, 'isDead'>) {
  const slides = checked.filter((slide) => slide.isDead === isDead)
  return Map.groupBy(slides, ({ sessionId }) => sessionId)
}

/** Stores the results of a session, which may have been deleted or changed since the check. */
async function settle(
  ctx: Context,
  sessionId: number,
  slides: readonly CheckedSlide[],
  replacements: Replacements,
): Promise<void> {
  const session = await lockSession(ctx, sessionId)
  if (!session || session.fillStatus === 'pending' || session.fillStatus === 'filling') return
  const replaced = await applyReplacements(ctx, session, replacements)
  await recordChecks(ctx, sessionId, slides)
  if (replaced > 0) await recountSlides(ctx, sessionId)
  const broken = await recordLinkHealth(ctx, sessionId, replaced)
  if (replaced === 0 && broken === (session.linkHealth?.brokenCount ?? 0)) return
  await emitEvent(ctx, sessionId, 'links_checked', { replaced, broken })
  await logActivity(ctx, null, {
    userId: null,
    targetUserId: session.userId,
    action: 'links_checked',
    feature: 'sessions',
    details: { replaced, broken },
    sessionId,
  })
}
