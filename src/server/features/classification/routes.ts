/** Tags and categories, as a table of contents. */
import { api } from '../../../contract/api.ts'
import { JsonText } from '../../http/reply.ts'
import { route } from '../../http/route.ts'
import { listCategoriesJson, listTagsJson } from './queries.ts'

export const classificationRoutes = [
  route(api.classification.tags, async (ctx) => new JsonText(await listTagsJson(ctx))),
  route(api.classification.categories, async (ctx) => new JsonText(await listCategoriesJson(ctx))),
]
