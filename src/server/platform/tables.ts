/** The tables as TypeScript sees them. A test holds these pages against the migrated database. */
import type { AccountsTables } from './tables/accounts.ts'
import type { ArchivesTables } from './tables/archives.ts'
import type { CaptionsTables } from './tables/captions.ts'
import type { CommunityTables } from './tables/community.ts'
import type { CreditsTables } from './tables/credits.ts'
import type { EnhancementTables } from './tables/enhancement.ts'
import type { ImagesTables } from './tables/images.ts'
import type { ImportsTables } from './tables/imports.ts'
import type { ModerationTables } from './tables/moderation.ts'
import type { PaymentsTables } from './tables/payments.ts'
import type { SessionsTables } from './tables/sessions.ts'
import type { VaultTables } from './tables/vault.ts'

export type Tables = AccountsTables &
  ArchivesTables &
  CreditsTables &
  SessionsTables &
  VaultTables &
  CommunityTables &
  CaptionsTables &
  EnhancementTables &
  ImagesTables &
  ImportsTables &
  ModerationTables &
  PaymentsTables
