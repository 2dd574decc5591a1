/** The price per slide, beside the button that plays a session with a paid caption voice. */
import { usePrice } from '../accounts/prices.ts'
import { words } from './play-price-words.ts'
import type { Session } from './session-data.ts'

/**
 * Returns true when the service charges this viewer per slide. It also charges for stored captions that AI
 * wrote, which the session does not reveal.
 */
export function isPlayCharged(session: Session, isOwn: boolean): boolean {
  const hasVoice = session.captionTheme !== null || (session.aiPrompt ?? '') !== ''
  const isByHand = session.isImported || session.subfeeds.length === 0
  return hasVoice && !(isOwn && isByHand)
}

/** `payers` selects the text. A share link does not name its owner, who may play free of charge. */
export function PlayPrice({ payers }: { payers: 'viewer' | 'members' }) {
  const price = usePrice('session_slide_view') ?? 0
  if (price === 0) return null
  const say = payers === 'viewer' ? words.toPlay : words.forMembers
  return <p className="mt-3 text-xs text-ink-3">{say({ count: price })}</p>
}
