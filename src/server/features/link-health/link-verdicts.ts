/**
 * When a slide counts as rotten, and when it is looked at again. Sites stumble, so nothing is
 * believed that was seen only once. A 404 or 410 is plain speech and needs an hour to be believed;
 * a refusal, a page where the picture was, or a name that is gone may be a mood of the site or of
 * the network in between, and needs a day. Silence is never rot, however long it lasts.
 */

export type Finding =
  | 'fine'
  /** 404 or 410. */
  | 'gone'
  | 'refused'
  /** A page, or the site's picture that stands for what it has removed. */
  | 'no-picture'
  | 'no-such-host'
  /** Busy, broken or out of reach: it says nothing about the picture. */
  | 'silent'
  /** Not ours to ask: no public address. */
  | 'unknown'

export type LinkState = { readonly faultySince: Date | null; readonly isBroken: boolean }

export type Verdict = LinkState & {
  /** Seen twice, far enough apart, and this was the second time or a later one. */
  readonly isDead: boolean
  readonly checkAt: Date
}

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
const weekMs = 7 * dayMs
const silentAgainMs = 6 * hourMs
const mostAgainMs = 30 * dayMs

const believedAfterMs = {
  gone: hourMs,
  refused: dayMs,
  'no-picture': dayMs,
  'no-such-host': dayMs,
}

export function judgeLink(before: LinkState, finding: Finding, now: Date): Verdict {
  switch (finding) {
    case 'fine':
      return { faultySince: null, isBroken: false, isDead: false, checkAt: after(now, weekMs) }
    case 'silent':
      return { ...before, isDead: false, checkAt: after(now, silentAgainMs) }
    case 'unknown':
      return { ...before, isDead: false, checkAt: after(now, weekMs) }
    default: {
      const faultySince = before.faultySince ?? now
      const believedAt = after(faultySince, believedAfterMs[finding])
      return now < believedAt
        ? { ...before, faultySince, isDead: false, checkAt: believedAt }
        : {
            faultySince,
            isBroken: true,
            isDead: true,
            checkAt: after(now, againMs(faultySince, now)),
          }
    }
  }
}

function after(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms)
}

/** It may come back, or its feed may have another by then; the longer it is gone, the less likely. */
function againMs(faultySince: Date, now: Date): number {
  return Math.min(Math.max(now.getTime() - faultySince.getTime(), dayMs), mostAgainMs)
}
