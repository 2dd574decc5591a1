/** Exports a shared session as a zip, for guests when the owner allows downloads. */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { grantedView } from '../../files/files.ts'
import { findJudgedSession, findSnapshot } from '../../sessions/sessions.ts'
import type { SessionSnapshot } from '../../sessions/sessions.ts'
import { grantOfShare, openShare } from '../../share-links/share-links.ts'
import { adultsOnly, isOfAgeFor, maySeeAdult, viewerOf } from '../../visibility/visibility.ts'
import { zipAnswer } from '../zip/zip-answer.ts'
import { zipOfSession } from './export-session.ts'

/**
 * The maximum of concurrent guest downloads for all links of an owner. The owner's own downloads are
 * counted separately.
 */
const guestsAtOnce = 8

export async function exportShared(
  ctx: Context,
  { user, visitor, params }: Call<typeof api.archives.exportShared>,
) {
  const share = await openShare(ctx, visitor, params.code)
  if (!share.download) throw problem.downloadOff()
  const found = await findJudgedSession(ctx, share.sessionId)
  if (!found) throw problem.shareNotFound()
  const ownerId = found.session.userId
  const viewer = viewerOf(user, ownerId)
  const isOfAge = isOfAgeFor({ isAdult: found.isAdult, ...viewer })
  if (user && !isOfAge) throw adultsOnly()
  const isForAdults = maySeeAdult(viewer)
  const grant = grantOfShare(share, { isForAdults })
  // Guests use slots of the owner, but not those for the owner's own exports.
  return zipAnswer(
    ctx,
    ownerId,
    async () => {
      const snapshot = await findSnapshot(ctx, share.sessionId)
      if (!snapshot) throw problem.shareNotFound()
      const seen: SessionSnapshot = {
        ...snapshot,
        session: grantedView(ctx, grant, snapshot.session),
        thumbnailGiven: snapshot.thumbnailGiven && isOfAge,
        slides: snapshot.slides
          .filter(({ nsfw }) => isOfAge && (isForAdults || !nsfw))
          .map((slide) => grantedView(ctx, grant, slide)),
      }
      return zipOfSession(ctx, seen)
    },
    { kind: 'shared-export', atMost: guestsAtOnce },
  )
}
