/**
 * Tables of request limits and rests of remote servers, health of sources, and connections to accounts
 * elsewhere.
 */
import type { connectionKinds } from '../../../contract/connections.ts'

declare module '../../database/tables.ts' {
  interface Tables {
    resting_hosts: RestingHostTable
    host_turns: HostTurnsTable
    connections: ConnectionTable
    source_health: SourceHealthTable
  }
}

export type RestingHostTable = {
  host: string
  until: Date
}

export type HostTurnsTable = {
  host: string
  asked_at: Date[]
  held: string[]
}

export type SourceHealthTable = {
  source: string
  succeeded_at: Date | null
  failed_at: Date | null
  failure: string | null
}

export type ConnectionTable = {
  id: string
  user_id: string
  kind: ConnectionKind
  name: string
  sealed_key: Uint8Array
  created_at: Date
  last_used_at: Date | null
}

export type ConnectionKind = (typeof connectionKinds)[number]
