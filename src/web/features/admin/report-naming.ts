/** The names of the parts of a report. */
import type { client } from '../../api.ts'
import { words } from './report-words.ts'

export type Report = Awaited<ReturnType<typeof client.moderation.listReports>>['items'][number]
export type ReportAction = NonNullable<Report['action']>

export const reasonNames: Record<Report['reason'], string> = {
  non_consensual: words.reasons.nonConsensual,
  minor: words.reasons.minor,
  copyright: words.reasons.copyright,
  illegal: words.reasons.illegal,
  other: words.reasons.somethingElse,
}

export const targetNames: Record<Report['targetType'], string> = {
  community_media: words.targets.communityMedia,
  community_session: words.targets.communitySession,
  shared_media: words.targets.sharedMedia,
  shared_session: words.targets.sharedSession,
  room: words.targets.room,
}

export const actionNames: Record<ReportAction, string> = {
  dismiss: words.dismiss,
  remove: words.remove,
  remove_and_block: words.block,
}
