/** The columns that a PATCH of a session changes. */
import type { api } from '../../../contract/api.ts'
import { problems } from '../../../contract/problems.ts'
import { Problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { coverUrl } from './covers.ts'
import type { SessionChange, SessionView } from './queries.ts'

type Body = Call<typeof api.sessions.update>['body']

const feedFields = ['subfeeds', 'captionTheme', 'aiPrompt'] as const

/** Refuses feed settings for an imported session: it has no feed, and its captions were imported with it. */
export function refuseForImported(session: SessionView, body: Body): void {
  const refused = feedFields.find((field) => body[field] !== undefined)
  if (!session.isImported || !refused) return
  throw new Problem(problems.validationFailed, {
    message: `Validation failed: ${refused} cannot be changed on an imported session`,
  })
}

export function changeOf(
  session: SessionView,
  body: Body,
  category: { categoryId: number; categorySource: 'manual' | 'default' } | null,
): SessionChange {
  const change: SessionChange = {}
  if (body.title !== undefined) change.title = body.title
  if (body.subfeeds !== undefined) change.subfeeds = body.subfeeds
  if (body.transition !== undefined) change.transition = body.transition
  if (body.aiPrompt !== undefined) change.ai_prompt = body.aiPrompt
  if (body.captionTheme !== undefined) change.caption_theme = body.captionTheme
  if (body.isPublic !== undefined) change.is_public = body.isPublic
  if (body.shareToCommunity !== undefined) change.share_to_community = body.shareToCommunity
  if (body.isFavorite !== undefined) change.is_favorite = body.isFavorite
  if (body.isManualMode !== undefined) change.is_manual_mode = body.isManualMode
  if (body.tags !== undefined) change.tags = [...new Set(body.tags)]
  if (body.nsfw !== undefined) change.nsfw_given = body.nsfw
  if (category) {
    change.category_id = category.categoryId
    change.category_source = category.categorySource
  }
  return { ...change, ...intervalChange(session, body), ...thumbnailChange(session, body) }
}

/** Moves a bound that is left out if it would contradict the other one. */
function intervalChange(session: SessionView, body: Body): SessionChange {
  const { intervalMin, intervalMax } = body
  if (intervalMin === undefined && intervalMax === undefined) return {}
  const min = intervalMin ?? Math.min(session.intervalMin, intervalMax ?? session.intervalMin)
  return { interval_min: min, interval_max: intervalMax ?? Math.max(session.intervalMax, min) }
}

/** Returns the change of the thumbnail. An empty one draws a new cover if the session has subfeeds. */
function thumbnailChange(session: SessionView, body: Body): SessionChange {
  if (body.thumbnail === undefined) return {}
  if (body.thumbnail) return { thumbnail: body.thumbnail, thumbnail_given: true }
  const subfeeds = body.subfeeds ?? session.subfeeds
  const thumbnail = body.thumbnail === '' && subfeeds.length > 0 ? coverUrl(subfeeds) : null
  return { thumbnail, thumbnail_given: false }
}
