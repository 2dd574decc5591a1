/** All routes of tags and categories. */
import { api } from '../../../contract/api.ts'
import { JsonText } from '../../http/reply.ts'
import { route } from '../../http/route.ts'
import {
  changeCategory,
  changeTag,
  createCategory,
  createTag,
  listCategories,
  listTags,
} from './administration.ts'
import { listCategoriesJson, listTagsJson } from './queries.ts'

export const classificationRoutes = [
  route(api.classification.tags, async (ctx) => new JsonText(await listTagsJson(ctx))),
  route(api.classification.categories, async (ctx) => new JsonText(await listCategoriesJson(ctx))),
  route(api.admin.tags, listTags),
  route(api.admin.createTag, createTag),
  route(api.admin.changeTag, changeTag),
  route(api.admin.categories, listCategories),
  route(api.admin.createCategory, createCategory),
  route(api.admin.changeCategory, changeCategory),
]
