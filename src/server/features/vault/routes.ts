/** The vault, as a table of contents. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { removeMedia, removeMediaByPath } from './deletion.ts'
import { listMedia } from './list.ts'
import { openSharedMedia } from './share-opening.ts'
import { shareMedia, shareMediaByPath, unshareMedia } from './share.ts'
import { uploadMedia } from './upload.ts'

export const vaultRoutes = [
  route(api.vault.list, listMedia),
  route(api.vault.upload, uploadMedia),
  route(api.vault.remove, removeMedia),
  route(api.vault.removeByPath, removeMediaByPath),
  route(api.vault.share, shareMedia),
  route(api.vault.unshare, unshareMedia),
  route(api.vault.shareByPath, shareMediaByPath),
  route(api.vault.openShared, openSharedMedia),
]
