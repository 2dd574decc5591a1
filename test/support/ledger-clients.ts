/**
 * Clients that spend credits like a careful client: without a definite response they retry the same call with
 * the same key. Their journal contains the final responses.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Random } from './fault.ts'

export type LedgerAccount = {
  readonly id: string
  readonly cookie: string
  readonly grants: number
}

export type LedgerCall = {
  readonly accountId: string
  readonly kind: 'buy' | 'view' | 'work'
  /** Identifies the call. Its debit and its effect contain the note. */
  readonly note: string
  readonly key: string | null
  readonly quantity: number
  readonly price: number
  /** True for work that is meant to fail and be refunded. */
  readonly fails: boolean
  /** The definite response, once it has arrived. */
  told: Told | null
  /** A second definite response to the same key, if it differs. */
  contradiction: Told | null
}

export type Told = {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly isReplay: boolean
}

export type ClientFigures = {
  sent: number
  retries: number
  replays: number
  unanswered: number
  serverErrors: number
  inProgress: number
}

export type LedgerJournal = { readonly calls: LedgerCall[]; readonly figures: ClientFigures }

export const createLedgerJournal = (): LedgerJournal => ({
  calls: [],
  figures: { sent: 0, retries: 0, replays: 0, unanswered: 0, serverErrors: 0, inProgress: 0 },
})

export type Street = {
  /** Returns the addresses of the nodes that are up. */
  readonly urls: () => string[]
  /** The time of the last new call, and of the last retry of a started call. */
  readonly lastCallMs: number
  readonly lastRetryMs: number
}

const prices = { buy: 25, view: 1, work: 5 }
const answerTimeoutMs = 12_000

export async function runClient(
  name: string,
  account: LedgerAccount,
  street: Street,
  journal: LedgerJournal,
  random: Random,
): Promise<void> {
  for (let serial = 1; performance.now() < street.lastCallMs; serial += 1) {
    const call = newCall(`${name}-${serial}`, account, random)
    journal.calls.push(call)
    await makeCall(call, account, street, journal.figures, random)
    await sleep(random.between(150, 900))
  }
}

function newCall(name: string, account: LedgerAccount, random: Random): LedgerCall {
  const kind = (['buy', 'view', 'view', 'work', 'work'] as const)[random.between(0, 4)] ?? 'view'
  const fails = kind === 'work' && random.fraction() < 0.4
  // The price of work does not depend on the quantity.
  const quantity = kind === 'work' ? 1 : random.between(1, 3)
  return {
    accountId: account.id,
    kind,
    note: fails ? `fail ${name}` : name,
    key: random.fraction() < 0.1 ? null : `key-${name}`,
    quantity,
    price: prices[kind] * quantity,
    fails,
    told: null,
    contradiction: null,
  }
}

/** Retries until there is a definite response or the time is over. A call without a key is sent once. */
async function makeCall(
  call: LedgerCall,
  account: LedgerAccount,
  street: Street,
  figures: ClientFigures,
  random: Random,
): Promise<void> {
  for (let isFirst = true; performance.now() < street.lastRetryMs; isFirst = false) {
    const urls = street.urls()
    const url = urls[random.between(0, urls.length - 1)]
    if (url === undefined) {
      await sleep(100)
      continue
    }
    if (!isFirst) figures.retries += 1
    // An impatient client sends twice at once, to two nodes if possible.
    const isImpatient = call.key !== null && random.fraction() < 0.1
    const targets = isImpatient ? [url, urls.at(urls.indexOf(url) - 1) ?? url] : [url]
    const answers = await Promise.all(targets.map((target) => send(target, call, account, figures)))
    const definite = answers.filter((answer) => answer !== null)
    // A refusal does not use up the key: the other of two calls may have been accepted.
    const told = definite.find(isFinal) ?? (definite.length === answers.length ? definite[0] : null)
    if (told) {
      call.told = told
      call.contradiction =
        definite.find((other) => isFinal(other) && !isSameAnswer(other, told)) ?? null
      return
    }
    if (call.key === null) return
    await sleep(random.between(100, 500))
  }
}

/** Returns true for a response that is stored with the key. */
function isFinal({ status }: Told): boolean {
  return status !== 402
}

function isSameAnswer(one: Told, other: Told): boolean {
  return one.status === other.status && isDeepStrictEqual(one.body, other.body)
}

/** Returns null when the response does not show what happened. */
async function send(
  url: string,
  call: LedgerCall,
  account: LedgerAccount,
  figures: ClientFigures,
): Promise<Told | null> {
  figures.sent += 1
  const answer = await post(`${url}/api/test/${call.kind}`, call, account.cookie)
  if (!answer) {
    figures.unanswered += 1
    return null
  }
  if (answer.isReplay) figures.replays += 1
  const { code } = answer.body
  if (code === 'IDEMPOTENCY_IN_PROGRESS') {
    figures.inProgress += 1
    return null
  }
  const isOpen = answer.status >= 500 && !answer.isReplay && !finalCodes.has(code)
  if (!isOpen) return answer
  figures.serverErrors += 1
  return null
}

const finalCodes: ReadonlySet<unknown> = new Set(['WORK_FAILED', 'INTERRUPTED'])

async function post(url: string, call: LedgerCall, cookie: string): Promise<Told | null> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        cookie,
        'content-type': 'application/json',
        ...(call.key === null ? {} : { 'idempotency-key': call.key }),
      },
      body: JSON.stringify({ note: call.note, quantity: call.quantity }),
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    const body = (await answer.json()) as Record<string, unknown>
    return { status: answer.status, body, isReplay: answer.headers.has('idempotent-replayed') }
  } catch {
    return null
  }
}
