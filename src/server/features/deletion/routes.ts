/** All routes of deletion. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { deleteAccount, readHoldings } from './account-deletion.ts'
import { removeSession } from './session-deletion.ts'
import { removeMedia, removeMediaByPath } from './media-deletion.ts'

export const deletionRoutes = [
  route(api.vault.remove, removeMedia),
  route(api.vault.removeByPath, removeMediaByPath),
  route(api.sessions.remove, removeSession),
  route(api.accounts.holdings, readHoldings),
  route(api.accounts.deleteAccount, deleteAccount),
]
