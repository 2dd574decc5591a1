/** What each slide costs, beside the button that plays a session with captions in a voice of its own. */
import { usePrice } from '../accounts/prices.ts'
import { words } from './play-price-words.ts'
import type { Session } from './session-data.ts'

/**
 * Whether the service charges this viewer for what is shown. It does so as well where captions that
 * AI wrote are stored in the slides, which a session does not say.
 */
export function isPlayCharged(session: Session, isOwn: boolean): boolean {
  const hasVoice = session.captionTheme !== null || (session.aiPrompt ?? '') !== ''
  const isByHand = session.isImported || session.subfeeds.length === 0
  return hasVoice && !(isOwn && isByHand)
}

/** `payers`: who is told. A link does not say whose it is, and its owner may play for nothing. */
export function PlayPrice({ payers }: { payers: 'viewer' | 'members' }) {
  const price = usePrice('session_slide_view') ?? 0
  if (price === 0) return null
  const say = payers === 'viewer' ? words.toPlay : words.forMembers
  return <p className="mt-3 text-xs text-ink-3">{say({ count: price })}</p>
}
