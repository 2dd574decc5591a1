/** The slots of an account over all nodes. */
declare module '../database/tables.ts' {
  interface Tables {
    account_slots: AccountSlotTable
  }
}

export type AccountSlotTable = {
  kind: string
  user_id: string
  slot: number
  holder: string
  lease_until: Date
}
