/** The tables that the benchmarks read, as Drizzle schemas. */
import { boolean, date, integer, json, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const moment = (name: string) => timestamp(name, { withTimezone: true }).notNull()

export const users = pgTable('users', {
  id: text('id').primaryKey(),
  email: text('email').notNull(),
  firstName: text('first_name'),
  lastName: text('last_name'),
  profileImageUrl: text('profile_image_url'),
  role: text('role').notNull(),
  isActive: boolean('is_active').notNull(),
  ageVerified: boolean('age_verified').notNull(),
  birthDate: date('birth_date', { mode: 'string' }),
  referralCode: text('referral_code').notNull(),
  referredBy: text('referred_by'),
  onboardingCompleted: boolean('onboarding_completed').notNull(),
  interests: jsonb('interests').notNull(),
  passwordHash: text('password_hash'),
  createdAt: moment('created_at'),
  updatedAt: moment('updated_at'),
})

export const creditAccounts = pgTable('credit_accounts', {
  userId: text('user_id').primaryKey(),
  balance: integer('balance').notNull(),
  tier: text('tier').notNull(),
  nextAllocationAt: moment('next_allocation_at'),
})

export const totpSecrets = pgTable('totp_secrets', {
  userId: text('user_id').primaryKey(),
  confirmedAt: timestamp('confirmed_at', { withTimezone: true }),
})

export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
})

export const tags = pgTable('tags', {
  slug: text('slug').primaryKey(),
  label: text('label').notNull(),
  description: text('description').notNull(),
  position: integer('position').notNull(),
})

export const featurePricing = pgTable('feature_pricing', {
  featureKey: text('feature_key').primaryKey(),
  creditsRequired: integer('credits_required').notNull(),
  isActive: boolean('is_active').notNull(),
})

export const creditTransactions = pgTable('credit_transactions', {
  id: integer('id').generatedAlwaysAsIdentity().primaryKey(),
  userId: text('user_id'),
  amount: integer('amount').notNull(),
  type: text('type').notNull(),
  description: text('description').notNull(),
  featureKey: text('feature_key'),
  balanceAfter: integer('balance_after').notNull(),
  createdAt: moment('created_at'),
})

export const categories = pgTable('categories', {
  id: integer('id').primaryKey(),
  isDefault: boolean('is_default').notNull(),
})

export const sessions = pgTable('sessions', {
  id: integer('id').generatedAlwaysAsIdentity().primaryKey(),
  title: text('title').notNull(),
  userId: text('user_id').notNull(),
  subfeeds: text('subfeeds').array().notNull(),
  categoryId: integer('category_id').notNull(),
  categorySource: text('category_source').notNull(),
  intervalMin: integer('interval_min').notNull(),
  intervalMax: integer('interval_max').notNull(),
  transition: text('transition').notNull(),
  thumbnail: text('thumbnail'),
  aiPrompt: text('ai_prompt'),
  captionTheme: text('caption_theme'),
  isPublic: boolean('is_public').notNull().default(false),
  shareToCommunity: boolean('share_to_community').notNull().default(false),
  isFavorite: boolean('is_favorite').notNull().default(false),
  isManualMode: boolean('is_manual_mode').notNull().default(false),
  isImported: boolean('is_imported').notNull().default(false),
  importSource: text('import_source'),
  importUrl: text('import_url'),
  tags: text('tags').array().notNull().default([]),
  nsfwGiven: boolean('nsfw_given').notNull().default(false),
  nsfwMedia: boolean('nsfw_media').notNull().default(false),
  mediaCount: integer('media_count').notNull().default(0),
  fillStatus: text('fill_status').notNull(),
  fillError: text('fill_error'),
  fillNumber: integer('fill_number').notNull(),
  fillDebitId: integer('fill_debit_id'),
  eventSeq: integer('event_seq').notNull(),
  skippedMedia: jsonb('skipped_media').notNull().default([]),
  linksCheckedAt: timestamp('links_checked_at', { withTimezone: true }),
  brokenCount: integer('broken_count').notNull().default(0),
  replacedCount: integer('replaced_count').notNull().default(0),
  refreshDueAt: timestamp('refresh_due_at', { withTimezone: true }),
  createdAt: moment('created_at'),
  updatedAt: moment('updated_at'),
})

export const sessionMedia = pgTable('session_media', {
  id: integer('id').primaryKey(),
  sessionId: integer('session_id').notNull(),
  mediaUrl: text('media_url').notNull(),
  thumbnail: text('thumbnail'),
  caption: text('caption'),
  type: text('type').notNull(),
  feedPostId: text('feed_post_id'),
  feedPostUrl: text('feed_post_url'),
  subfeed: text('subfeed'),
  alt: text('alt'),
  credit: jsonb('credit'),
  order: integer('position').notNull(),
  width: integer('width'),
  height: integer('height'),
  durationMs: integer('duration_ms'),
  nsfw: boolean('nsfw').notNull(),
  isBroken: boolean('is_broken').notNull(),
  authorFocus: jsonb('author_focus'),
  ownFileKey: text('own_file_key'),
})

export const mediaRenditions = pgTable('media_renditions', {
  key: text('key').primaryKey(),
  lengthMs: integer('length_ms'),
  sizes: json('sizes'),
  focus: json('focus'),
})

export const sessionImports = pgTable('session_imports', {
  sessionId: integer('session_id').primaryKey(),
})

export const sessionEvents = pgTable('session_events', {
  sessionId: integer('session_id').notNull(),
  seq: integer('seq').notNull(),
  type: text('type').notNull(),
  data: jsonb('data').notNull(),
  createdAt: moment('created_at'),
})

export const jobs = pgTable('bench_jobs', {
  id: integer('id').generatedAlwaysAsIdentity().primaryKey(),
  name: text('name').notNull(),
  payload: jsonb('payload').notNull(),
  createdAt: moment('created_at'),
})
