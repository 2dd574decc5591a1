/** Taking one's data along, and leaving. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { deleteAccount } from './account-deletion.ts'
import { exportAccount } from '../account-export/export.ts'

export const accountDataRoutes = [
  route(api.accounts.exportAccount, exportAccount),
  route(api.accounts.deleteAccount, deleteAccount),
]
