/** Which hosts are asked how often, which are left alone for a while, and who has which account elsewhere. */
import type { connectionKinds } from '../../../contract/connections.ts'

declare module '../../database/tables.ts' {
  interface Tables {
    resting_hosts: RestingHostTable
    host_turns: HostTurnsTable
    connections: ConnectionTable
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
