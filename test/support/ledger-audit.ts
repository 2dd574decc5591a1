/** Compares the ledger with the clients' journal, call by call and account by account. */
import { Client } from 'pg'
import type { LedgerAccount, LedgerCall } from './ledger-clients.ts'

export type Audit = {
  readonly violations: readonly string[]
  /** The number of calls that were charged more than once. */
  readonly chargedAgain: number
  /** The number of debits of interrupted or unanswered work without a refund. */
  readonly unrefunded: number
}

type Entry = {
  readonly id: number
  readonly userId: string
  readonly amount: number
  readonly type: string
  readonly refundOf: number | null
  readonly balanceAfter: number
  readonly note: string | null
}

type Found = {
  readonly entries: readonly Entry[]
  readonly balances: ReadonlyMap<string, number>
  /** The number of times each note was written. */
  readonly effects: ReadonlyMap<string, number>
}

export async function auditLedger(
  databaseUrl: string,
  accounts: readonly LedgerAccount[],
  calls: readonly LedgerCall[],
): Promise<Audit> {
  const found = await readLedger(databaseUrl, accounts)
  const debits = Map.groupBy(
    found.entries.filter(({ type }) => type === 'spend'),
    ({ note }) => note ?? '',
  )
  const refunds = Map.groupBy(
    found.entries.filter(({ type }) => type === 'refund'),
    ({ refundOf }) => refundOf,
  )
  const violations: string[] = []
  const known = new Set(calls.map(({ note }) => note))
  for (const note of [...debits.keys(), ...found.effects.keys()])
    if (!known.has(note)) violations.push(`"${note}" was charged or written, and nobody asked`)
  let unrefunded = 0
  for (const call of calls) {
    const own = debits.get(call.note) ?? []
    const given = own.flatMap(({ id }) => refunds.get(id) ?? [])
    const effects = found.effects.get(call.note) ?? 0
    violations.push(
      ...judgeCall(call, own, given, effects).map((fault) => `${describe(call)}: ${fault}`),
    )
    if (call.kind === 'work' && isOpen(call) && given.length < own.length) unrefunded += 1
  }
  for (const account of accounts) violations.push(...judgeAccount(account, calls, found))
  const chargedAgain = calls.filter(({ note }) => (debits.get(note)?.length ?? 0) > 1).length
  return { violations, chargedAgain, unrefunded }
}

function judgeCall(
  call: LedgerCall,
  debits: readonly Entry[],
  refunds: readonly Entry[],
  effects: number,
): string[] {
  const faults: string[] = []
  const expect = (holds: boolean, fault: string) => void (holds || faults.push(fault))
  const { told } = call
  const [debit] = debits
  expect(debits.length <= 1, `charged ${debits.length} times`)
  expect(refunds.length <= debits.length, `${refunds.length} refunds for ${debits.length} debits`)
  expect(effects === (call.kind === 'buy' ? debits.length : 0), `${effects} effects`)
  for (const entry of debits) {
    expect(entry.userId === call.accountId, 'charged to another account')
    expect(entry.amount === -call.price, `charged ${-entry.amount}`)
  }
  for (const { amount } of refunds) expect(amount === call.price, `refunded ${amount}`)
  expect(call.contradiction === null, `also told ${JSON.stringify(call.contradiction)}`)
  switch (told && JSON.stringify([told.status, told.body['code']])) {
    case null:
      break
    case '[201,null]':
      expect(!call.fails, 'told success of work that fails')
      expect(debits.length > 0, 'told success, and it is lost')
      expect(refunds.length === 0, 'told success, and refunded')
      expect(told?.body['charged'] === call.price, 'told another price')
      expect(!debit || told?.body['balance'] === debit.balanceAfter, 'told another balance')
      expect(told?.body['note'] === call.note, 'told of another call')
      break
    case '[402,"INSUFFICIENT_CREDITS"]':
      expect(debits.length === 0, 'told that it cannot be paid, and charged')
      break
    case '[500,"WORK_FAILED"]':
      expect(call.fails, 'told a failure of work that does not fail')
      expect(debits.length > 0, 'told a failure after the debit, and there is none')
      expect(refunds.length === debits.length, 'told a failure, and not refunded')
      break
    case '[503,"INTERRUPTED"]':
      expect(call.kind === 'work', 'interrupted between the debit and the effect')
      expect(debits.length > 0, 'told an interruption after the debit, and there is none')
      break
    default:
      faults.push('an answer that none of these calls can have')
  }
  return faults
}

/** Returns true when the debit of this call may exist or not, or may lack a refund. */
function isOpen({ told }: LedgerCall): boolean {
  return told === null || told.body['code'] === 'INTERRUPTED'
}

function judgeAccount(
  { id, grants }: LedgerAccount,
  calls: readonly LedgerCall[],
  found: Found,
): string[] {
  const faults: string[] = []
  const balance = found.balances.get(id) ?? Number.NaN
  let sum = 0
  for (const entry of found.entries.filter(({ userId }) => userId === id)) {
    sum += entry.amount
    if (entry.balanceAfter !== sum)
      faults.push(`transaction ${entry.id} says ${entry.balanceAfter} where the sum is ${sum}`)
  }
  if (!(balance >= 0)) faults.push(`the balance is ${balance}`)
  if (sum !== balance) faults.push(`the sum is ${sum} and the balance ${balance}`)
  const own = calls.filter(({ accountId }) => accountId === id)
  const max = grants - priceOf(own.filter(({ told }) => told?.status === 201))
  const min = max - priceOf(own.filter(isOpen))
  if (!(balance >= min && balance <= max))
    faults.push(`what clients were told leaves ${min} to ${max}, and the balance is ${balance}`)
  return faults.map((fault) => `account ${id}: ${fault}`)
}

function priceOf(calls: readonly LedgerCall[]): number {
  return calls.reduce((sum, { price }) => sum + price, 0)
}

function describe({ note, kind, quantity, key, told }: LedgerCall): string {
  const answer = told ? `${told.status} ${JSON.stringify(told.body)}` : 'nothing'
  return `${kind} × ${quantity} "${note}"${key === null ? ' (no key)' : ''}, told ${answer}`
}

async function readLedger(databaseUrl: string, accounts: readonly LedgerAccount[]): Promise<Found> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const ids = [accounts.map(({ id }) => id)]
    const { rows: entries } = await client.query<Entry>(
      `select id, user_id as "userId", amount, type, refund_of as "refundOf",
        balance_after as "balanceAfter", metadata ->> 'note' as note
      from credit_transactions where user_id = any($1) order by id`,
      ids,
    )
    const { rows: balances } = await client.query<{ id: string; balance: number }>(
      'select user_id as id, balance from credit_accounts where user_id = any($1)',
      ids,
    )
    const { rows: effects } = await client.query<{ note: string; count: number }>(
      `select details ->> 'note' as note, count(*)::int as count from activity_log
      where action = 'note' group by 1`,
    )
    return {
      entries,
      balances: new Map(balances.map(({ id, balance }) => [id, balance])),
      effects: new Map(effects.map(({ note, count }) => [note, count])),
    }
  } finally {
    await client.end()
  }
}
