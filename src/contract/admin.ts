/** Administration: people, settings, tags and categories, the activity log, statistics (contract 4.10). */
import { z } from 'zod'
import { accountProblems, roles, user } from './accounts.ts'
import { category, tag } from './classification.ts'
import { tierNames } from './credits.ts'
import { endpoint, json } from './endpoint.ts'
import { sentence } from './failure.ts'
import { problems } from './problems.ts'
import { tiers } from './tiers.ts'
import { pageLimit, pathId, someOf, timestamp } from './values.ts'

// In bytes it is still a safe integer in JavaScript.
const quotaMb = z.int().min(0).max(1_000_000_000)

/** The settings that administrators change at run time. */
export const siteSettings = z
  .object({
    uploadLimitMb: z.int().min(1).max(10_240),
    lowBalanceThreshold: z.int().min(0).max(1_000_000),
    enhancementPrimary: z.enum(['default', 'provider_a']),
    keepPurchasedCredits: z.boolean(),
    registration: z.enum(['open', 'closed']),
    dailyBonus: z.int().min(0).max(1_000_000),
    credits: z.enum(['on', 'off']),
    siteName: z.string().trim().min(1).max(60),
    /** The storage quota by tier; 0 is unlimited. */
    quotaMb: z.object({
      free: quotaMb,
      joi_curious: quotaMb,
      full_access: quotaMb,
      vip: quotaMb,
    }),
    tierNames,
    /** True if people without an account may see the community, except its adult content. */
    publicCommunity: z.boolean(),
  })
  .meta({ id: 'SiteSettings' })

const adminUser = user
  .extend({ underAge: z.boolean(), tier: z.enum(tiers), balance: z.int() })
  .meta({ id: 'AdminUser' })

const activity = z
  .object({
    id: z.int(),
    /** The person who acted. Null for the command line, and for deleted accounts. */
    userId: z.string().nullable(),
    /** The account that was affected. */
    targetUserId: z.string().nullable(),
    action: z.string(),
    feature: z.string(),
    details: z.record(z.string(), z.unknown()),
    ipAddress: z.string().nullable(),
    userAgent: z.string().nullable(),
    sessionId: z.int().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Activity' })

const userId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/)
const slug = z
  .string()
  .max(120)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
const label = z.string().trim().min(1).max(100)
const description = z.string().trim().max(500)

const page = {
  limit: pageLimit(100).default(50),
  cursor: z.string().max(200).optional(),
}

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })

export const adminProblems = {
  defaultCategory: sentence(409, 'The default category stays as it is'),
}

export const admin = {
  users: endpoint({
    method: 'GET',
    path: '/api/admin/users',
    summary: 'Accounts, newest first. q is part of an e-mail or a name, or a whole id.',
    who: 'admin',
    query: z.object({ q: z.string().trim().max(200).optional(), ...page }),
    answer: json(200, pageOf(adminUser)),
    failures: [],
  }),
  changeUser: endpoint({
    method: 'PATCH',
    path: '/api/admin/users/:id',
    summary: 'Change an account. Only a super_admin changes roles, and nobody their own.',
    who: 'admin',
    params: z.object({ id: userId }),
    body: someOf(
      z.object({
        role: z.enum(roles),
        isActive: z.boolean(),
        tier: z.enum(tiers),
        ageVerified: z.boolean(),
      }),
    ),
    answer: json(200, adminUser),
    failures: [problems.notFound, accountProblems.lastSuperAdmin],
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/admin/settings',
    summary: 'The settings in force.',
    who: 'admin',
    answer: json(200, siteSettings),
    failures: [],
  }),
  changeSettings: endpoint({
    method: 'PATCH',
    path: '/api/admin/settings',
    summary: 'Change settings. They take effect at once on every node.',
    who: 'admin',
    /** Quotas and tier names that are omitted stay unchanged. */
    body: someOf(
      siteSettings.extend({
        quotaMb: someOf(siteSettings.shape.quotaMb),
        tierNames: someOf(tierNames),
      }),
    ),
    answer: json(200, siteSettings),
    failures: [],
  }),
  tags: endpoint({
    method: 'GET',
    path: '/api/admin/tags',
    summary: 'Tags in their order.',
    who: 'admin',
    query: z.object(page),
    answer: json(200, pageOf(tag)),
    failures: [],
  }),
  createTag: endpoint({
    method: 'POST',
    path: '/api/admin/tags',
    summary: 'Add a tag.',
    who: 'admin',
    body: z.object({ slug, label, description: description.default('') }),
    answer: json(201, tag),
    failures: [problems.alreadyExists],
  }),
  changeTag: endpoint({
    method: 'PATCH',
    path: '/api/admin/tags/:slug',
    summary: 'Rename a tag. Its slug stays, because sessions and media refer to it.',
    who: 'admin',
    params: z.object({ slug }),
    body: someOf(z.object({ label, description })),
    answer: json(200, tag),
    failures: [problems.notFound],
  }),
  categories: endpoint({
    method: 'GET',
    path: '/api/admin/categories',
    summary: 'Categories in their order.',
    who: 'admin',
    query: z.object(page),
    answer: json(200, pageOf(category)),
    failures: [],
  }),
  createCategory: endpoint({
    method: 'POST',
    path: '/api/admin/categories',
    summary: 'Add a category.',
    who: 'admin',
    body: z.object({ slug, name: label }),
    answer: json(201, category),
    failures: [problems.alreadyExists],
  }),
  changeCategory: endpoint({
    method: 'PATCH',
    path: '/api/admin/categories/:id',
    summary: 'Change a category. The default category cannot be changed.',
    who: 'admin',
    params: z.object({ id: pathId }),
    body: someOf(z.object({ slug, name: label })),
    answer: json(200, category),
    failures: [problems.notFound, problems.alreadyExists, adminProblems.defaultCategory],
  }),
  activity: endpoint({
    method: 'GET',
    path: '/api/admin/activity',
    summary: 'The activity log, newest first: actions of accounts, and changes to them.',
    who: 'admin',
    query: z.object({
      userId: userId.optional(),
      action: z
        .string()
        .regex(/^[a-z_]{1,50}$/)
        .optional(),
      ...page,
    }),
    answer: json(200, pageOf(activity)),
    failures: [],
  }),
  stats: endpoint({
    method: 'GET',
    path: '/api/admin/stats',
    summary:
      'Statistics of the site: totals, credits of the last days, and the health of the ledger.',
    who: 'admin',
    answer: json(
      200,
      z.object({
        users: z.object({ total: z.int(), active: z.int(), newInDays: z.int() }),
        sessions: z.object({ total: z.int(), published: z.int() }),
        credits: z.object({ in: z.int(), out: z.int(), outstanding: z.int() }),
        jobs: z.object({
          waiting: z.int(),
          running: z.int(),
          failed: z.int(),
          deadLetters: z.int(),
        }),
        storage: z.object({ files: z.int(), bytes: z.int(), toBeRemoved: z.int() }),
        /** Recently changed accounts, and those among them whose sum differs from their balance. */
        ledger: z.object({ checked: z.int(), unbalanced: z.array(z.string()) }),
        /** The number of days that `newInDays` and the credits in and out cover. */
        days: z.int(),
      }),
    ),
    failures: [],
  }),
  statsByDay: endpoint({
    method: 'GET',
    path: '/api/admin/stats/days',
    summary:
      'Statistics by day for the last 30 days in UTC, oldest first. Ended jobs are kept for some days only.',
    who: 'admin',
    answer: json(
      200,
      z.object({
        days: z.array(
          z.object({
            day: z.iso.date(),
            people: z.int(),
            sessions: z.int(),
            creditsIn: z.int(),
            creditsOut: z.int(),
            storedBytes: z.int(),
            jobsDone: z.int(),
            jobsFailed: z.int(),
          }),
        ),
      }),
    ),
    failures: [],
  }),
}
