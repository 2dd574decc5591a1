/** Which hosts are asked how often, and which of them are left alone for a while. */
declare module '../../database/tables.ts' {
  interface Tables {
    resting_hosts: { host: string; until: Date }
    host_turns: { host: string; asked_at: Date[]; held: string[] }
  }
}

export {}
