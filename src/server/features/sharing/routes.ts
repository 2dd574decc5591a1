/** The routes of sharing. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { admitByCode } from '../share-links/share-links.ts'
import { openSharedMedia } from './media-opening.ts'
import { readMedia } from './media-uses.ts'
import { shareMedia, shareMediaByPath, unshareMedia } from './media-sharing.ts'
import { describeEmbedding } from './oembed.ts'
import { openShared, previewShare, readShare, shareSession } from './session-sharing.ts'

export const sharingRoutes = [
  route(api.sharing.shareSession, shareSession),
  route(api.sharing.readShare, readShare),
  route(api.sharing.preview, previewShare, { isPublicRead: true }),
  route(api.sharing.open, openShared, { admitGuest: admitByCode }),
  route(api.vault.read, readMedia),
  route(api.sharing.oembed, describeEmbedding, { isPublicRead: true }),
  route(api.vault.share, shareMedia),
  route(api.vault.unshare, unshareMedia),
  route(api.vault.shareByPath, shareMediaByPath),
  route(api.vault.openShared, openSharedMedia),
]
