/** Which hosts are asked how often, and which of them are left alone for a while. */
declare module '../../database/tables.ts' {
  interface Tables {
    resting_hosts: RestingHostTable
    host_turns: HostTurnsTable
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
