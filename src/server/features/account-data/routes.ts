/** Taking one's data along, and leaving. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { deleteAccount } from './deletion.ts'
import { exportAccount } from './export.ts'

export const accountDataRoutes = [
  route(api.accounts.exportAccount, exportAccount),
  route(api.accounts.deleteAccount, deleteAccount),
]
