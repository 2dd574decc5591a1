/** Reports, decisions and notices, as a table of contents. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { listNotices, readNotices } from './notices.ts'
import { listReports, reportContent, reportStats, resolveReport } from './reports.ts'

export const moderationRoutes = [
  route(api.moderation.report, reportContent),
  route(api.moderation.listReports, listReports),
  route(api.moderation.reportStats, reportStats),
  route(api.moderation.resolveReport, resolveReport),
  route(api.moderation.listNotices, listNotices),
  route(api.moderation.readNotices, readNotices),
]
