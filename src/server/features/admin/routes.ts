/** The routes for administrators: users, statistics and jobs. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { discardJob, listJobs, retryJob } from './jobs.ts'
import { readStats, readStatsByDay } from './stats.ts'
import { changeUser, listUsers } from './users.ts'

export const adminRoutes = [
  route(api.admin.users, listUsers),
  route(api.admin.changeUser, changeUser),
  route(api.admin.stats, readStats),
  route(api.admin.statsByDay, readStatsByDay),
  route(api.adminJobs.list, listJobs),
  route(api.adminJobs.retry, retryJob),
  route(api.adminJobs.discard, discardJob),
]
