/** The tables of the private vault. */
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    vault_media: VaultMediaTable
    live_media: VaultMediaTable
    vault_counts: VaultCountTable
    vault_folders: VaultFolderTable
  }
}

type VaultMediaTable = {
  id: GeneratedAlways<number>
  user_id: string
  name: string
  original_name: string
  file_name: string
  file_path: string
  file_size: Generated<number>
  mime_type: string
  source: 'general' | 'upload' | 'smart-caption' | 'babecock' | 'hypnococks'
  category: GeneratedAlways<'upload' | 'smart-caption' | 'babecock' | 'hypnococks'>
  caption: string | null
  character_name: string | null
  subfeed: string | null
  nsfw: Generated<boolean>
  width: Generated<number>
  height: Generated<number>
  duration_ms: number | null
  display_path: string | null
  thumbnail_widths: Generated<number[]>
  perceptual_hashes: Generated<string[]>
  content_sha256: Buffer | null
  upload_key: string | null
  share_to_community: Generated<boolean>
  metadata: JSONColumnType<Record<string, unknown>, string | undefined>
  enrichment_status: Generated<'pending' | 'processing' | 'completed' | 'failed'>
  enrichment_tries: Generated<number>
  enrichment_started_at: Date | null
  enriched_at: Date | null
  trashed_at: Date | null
  is_favorite: Generated<boolean>
  tags: Generated<string[]>
  created_at: Date
}

type VaultCountTable = {
  user_id: string
  category: string
  files: number
}

type VaultFolderTable = {
  user_id: string
  folder: string
  fingerprint: string | null
  listed_at: Date
}
