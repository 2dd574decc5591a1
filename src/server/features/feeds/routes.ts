/** Feeds, as a table of contents. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { fetchFeed, searchFeed } from './gathering.ts'

export const feedRoutes = [route(api.feeds.search, searchFeed), route(api.feeds.fetch, fetchFeed)]
