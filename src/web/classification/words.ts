/** The texts around tags and categories, whose names come from the server. */
import { catalogue } from '../words/catalogue.ts'

export const words = catalogue('classification', {
  category: 'Category',
  allCategories: 'All categories',
  tags: 'Tags',
  moreTags: { one: '{count} more', other: '{count} more' },
})
