/** The routes of the vault. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { findKnown, listMedia } from './list/list.ts'
import { markMedia } from './marks.ts'
import { uploadMedia } from './upload/upload.ts'

export const vaultRoutes = [
  route(api.vault.list, listMedia),
  route(api.vault.upload, uploadMedia),
  route(api.vault.findKnown, findKnown),
  route(api.vault.mark, markMedia),
]
