/**
 * Tags and categories that sessions and media are sorted by. Some are created with the site (contract 1.9).
 */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'

export const tag = z.object({ slug: z.string(), label: z.string(), description: z.string() })

export const category = z.object({
  id: z.int(),
  slug: z.string().max(120),
  name: z.string(),
  isDefault: z.boolean(),
})

export const classification = {
  tags: endpoint({
    method: 'GET',
    path: '/api/tags',
    summary: 'All tags.',
    who: 'anyone',
    answer: json(200, z.array(tag)),
    failures: [],
  }),
  categories: endpoint({
    method: 'GET',
    path: '/api/categories',
    summary: 'All categories.',
    who: 'anyone',
    answer: json(200, z.array(category)),
    failures: [],
  }),
}
