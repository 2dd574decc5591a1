/** The routes of reports, decisions and notices. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { listNotices, readNotices } from './notices.ts'
import { countReports } from './report-queries.ts'
import { listReports, readReach, reportContent, resolveReport } from './reports.ts'

export const moderationRoutes = [
  route(api.moderation.report, reportContent),
  route(api.moderation.listReports, listReports),
  route(api.moderation.reportStats, countReports),
  route(api.moderation.reportReach, readReach),
  route(api.moderation.resolveReport, resolveReport),
  route(api.moderation.listNotices, listNotices),
  route(api.moderation.readNotices, readNotices),
]
