/** Administration, as a table of contents. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { listActivity } from '../activity/activity-list.ts'
import { changeSettings, readSettings } from '../settings/settings.ts'
import { readStats } from './stats.ts'
import { changeUser, listUsers } from './users.ts'
import {
  changeCategory,
  changeTag,
  createCategory,
  createTag,
  listCategories,
  listTags,
} from '../classification/administration.ts'

export const adminRoutes = [
  route(api.admin.users, listUsers),
  route(api.admin.changeUser, changeUser),
  route(api.admin.settings, readSettings),
  route(api.admin.changeSettings, changeSettings),
  route(api.admin.tags, listTags),
  route(api.admin.createTag, createTag),
  route(api.admin.changeTag, changeTag),
  route(api.admin.categories, listCategories),
  route(api.admin.createCategory, createCategory),
  route(api.admin.changeCategory, changeCategory),
  route(api.admin.activity, listActivity),
  route(api.admin.stats, readStats),
]
