/** The routes of the community. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { isCommunityPublic } from '../settings/settings.ts'
import { browseCommunity, listPublished, openCommunitySession } from './browse.ts'
import { saveCommunitySession } from './saving.ts'

/** The setting is read on the main server, so turning it off counts at once. */
const openToGuests = { isPublicRead: true, admitGuest: isCommunityPublic }

export const communityRoutes = [
  route(api.community.browse, browseCommunity, openToGuests),
  route(api.community.published, listPublished),
  route(api.community.open, openCommunitySession, openToGuests),
  route(api.community.save, saveCommunitySession),
]
