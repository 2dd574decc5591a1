/** The vault, as a table of contents. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { removeMedia, removeMediaByPath } from '../deletion/media-deletion.ts'
import { listMedia } from './list/list.ts'
import { openSharedMedia } from '../sharing/media-opening.ts'
import { shareMedia, shareMediaByPath, unshareMedia } from '../sharing/media-sharing.ts'
import { uploadMedia } from './upload/upload.ts'

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
