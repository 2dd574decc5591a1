/**
 * Decides when a slide is broken, and when to check it again. Sites have temporary failures, so a fault
 * must be seen twice. A 404 or 410 is definite: the second time is an hour later at the earliest. A
 * refusal, a page instead of the picture, or an unknown host can be temporary or a network fault: the
 * second time is a day later at the earliest. A site that does not respond never makes a slide broken.
 */

export type Finding =
  | 'fine'
  /** 404 or 410. */
  | 'gone'
  | 'refused'
  /** A page, or the site's placeholder for a removed picture. */
  | 'no-picture'
  | 'no-such-host'
  /** Busy, broken or unreachable. It says nothing about the picture. */
  | 'silent'
  /** Not asked: the address is not public. */
  | 'unknown'

export type LinkState = { readonly faultySince: Date | null; readonly isBroken: boolean }

export type Verdict = LinkState & {
  /** True when the fault was seen again after the waiting time. */
  readonly isDead: boolean
  readonly checkAt: Date
}

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
const weekMs = 7 * dayMs
const silentAgainMs = 6 * hourMs
const maxRecheckMs = 30 * dayMs

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

/**
 * Returns the time until the next check. The picture may return, or its feed may have a replacement.
 * The longer it is missing, the less likely that is.
 */
function againMs(faultySince: Date, now: Date): number {
  return Math.min(Math.max(now.getTime() - faultySince.getTime(), dayMs), maxRecheckMs)
}
