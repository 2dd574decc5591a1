/** The routes of the community. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { browseCommunity, listPublished, openCommunitySession } from './browse.ts'
import { saveCommunitySession } from './saving.ts'

export const communityRoutes = [
  route(api.community.browse, browseCommunity, { isPublicRead: true }),
  route(api.community.published, listPublished),
  route(api.community.open, openCommunitySession, { isPublicRead: true }),
  route(api.community.save, saveCommunitySession),
]
