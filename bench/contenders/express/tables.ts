/** The tables that the benchmarks read, as Drizzle describes them. */
import { boolean, date, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

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
  createdAt: moment('created_at'),
  updatedAt: moment('updated_at'),
})

export const creditAccounts = pgTable('credit_accounts', {
  userId: text('user_id').primaryKey(),
  balance: integer('balance').notNull(),
  tier: text('tier').notNull(),
  nextAllocationAt: moment('next_allocation_at'),
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
