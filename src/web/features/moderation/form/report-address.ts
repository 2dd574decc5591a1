/** Parses an address or a bare code into the target of a report. */
import type { ReportTarget } from './report-dialog.tsx'

const code = '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})'
const sharedMedia = new RegExp(`/shared/media/${code}`, 'i')
const sharedSession = new RegExp(`(?:/shared/|^)${code}`, 'i')

/** Returns null when the address is nothing that can be reported. */
export function reportTargetAt(text: string): ReportTarget | null {
  const address = text.trim()
  const [, mediaCode] = sharedMedia.exec(address) ?? []
  if (mediaCode) return { targetType: 'shared_media', shareCode: mediaCode.toLowerCase() }
  const [, sessionCode] = sharedSession.exec(address) ?? []
  if (sessionCode) return { targetType: 'shared_session', shareCode: sessionCode.toLowerCase() }
  const [, roomCode] = /\/(?:rooms|tv)\/([2-9A-HJKMNP-Z]{6})(?:[/?#]|$)/i.exec(address) ?? []
  if (roomCode) return { targetType: 'room', shareCode: roomCode.toUpperCase() }
  const [, id] = /\/community\/([1-9]\d{0,9})(?:[/?#]|$)/.exec(address) ?? []
  return id ? { targetType: 'community_session', targetId: Number(id) } : null
}
