/** The vault's tables, as Drizzle schemas. */
import { boolean, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const moment = (name: string) => timestamp(name, { withTimezone: true })

export const vaultMedia = pgTable('vault_media', {
  id: integer('id').generatedAlwaysAsIdentity().primaryKey(),
  userId: text('user_id').notNull(),
  name: text('name').notNull(),
  originalName: text('original_name').notNull(),
  fileName: text('file_name').notNull(),
  filePath: text('file_path').notNull(),
  fileSize: integer('file_size').notNull(),
  mimeType: text('mime_type').notNull(),
  source: text('source').notNull(),
  category: text('category').generatedAlwaysAs('').notNull(),
  characterName: text('character_name'),
  subfeed: text('subfeed'),
  width: integer('width').notNull().default(0),
  height: integer('height').notNull().default(0),
  durationMs: integer('duration_ms'),
  thumbnailWidths: integer('thumbnail_widths').array().notNull().default([]),
  tags: text('tags').array().notNull().default([]),
  isFavorite: boolean('is_favorite').notNull().default(false),
  shareToCommunity: boolean('share_to_community').notNull().default(false),
  enrichmentStatus: text('enrichment_status').notNull().default('pending'),
  enrichedAt: moment('enriched_at'),
  createdAt: moment('created_at').notNull(),
})

export const mediaShares = pgTable('media_shares', {
  code: uuid('code').primaryKey(),
  mediaId: integer('media_id').notNull(),
})

export const vaultCounts = pgTable('vault_counts', {
  userId: text('user_id').notNull(),
  category: text('category').notNull(),
  files: integer('files').notNull(),
})

export const activityLog = pgTable('activity_log', {
  userId: text('user_id').notNull(),
  action: text('action').notNull(),
  feature: text('feature').notNull(),
  details: jsonb('details').notNull(),
  createdAt: moment('created_at').notNull(),
})
