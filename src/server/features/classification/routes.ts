/** Tags and categories, as a table of contents. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { findCategories, findTags } from './queries.ts'

export const classificationRoutes = [
  route(api.classification.tags, findTags),
  route(api.classification.categories, findCategories),
]
