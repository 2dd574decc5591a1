/** Hosts that are asked nothing for a while. */
declare module '../../database/tables.ts' {
  interface Tables {
    resting_hosts: RestingHostTable
  }
}

export type RestingHostTable = {
  host: string
  until: Date
}
