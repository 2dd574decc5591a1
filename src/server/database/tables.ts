/** The tables as TypeScript sees them. A test holds these pages against the migrated database. */
import type { AccountsTables } from '../features/accounts/tables.ts'
import type { ArchivesTables } from '../features/archives/tables.ts'
import type { CaptionsTables } from '../features/captions/tables.ts'
import type { CommunityTables } from '../features/community/tables.ts'
import type { CreditsTables } from '../features/credits/tables.ts'
import type { EnhancementTables } from '../features/enhancement/tables.ts'
import type { ImagesTables } from '../features/picture-tools/tables.ts'
import type { ImportsTables } from '../features/imports/tables.ts'
import type { ModerationTables } from '../features/moderation/tables.ts'
import type { PaymentsTables } from '../features/payments/tables.ts'
import type { SessionsTables } from '../features/sessions/tables.ts'
import type { VaultTables } from '../features/vault/tables.ts'

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
