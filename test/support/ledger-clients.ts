/**
 * Clients that spend credits and do what a careful client does: where no definite answer came they
 * send the same call with the same key again. Their journal has what they were told in the end.
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
  /** Names the call; its debit and its effect carry it. */
  readonly note: string
  readonly key: string | null
  readonly quantity: number
  readonly price: number
  /** Work that is meant to fail, and to be refunded. */
  readonly fails: boolean
  /** The definite answer, once there is one. */
  told: Told | null
  /** Where two definite answers to the same key differ. */
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
  /** Where nodes can be reached at the moment. */
  readonly urls: () => string[]
  /** When clients begin no more calls, and when they stop asking after those that they have begun. */
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
  // The price of work does not go by quantity.
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

/** Until there is a definite answer, or the time is over. A call without a key is sent once. */
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
    // An impatient client sends twice at once, to two nodes if there are.
    const isImpatient = call.key !== null && random.fraction() < 0.1
    const targets = isImpatient ? [url, urls.at(urls.indexOf(url) - 1) ?? url] : [url]
    const answers = await Promise.all(targets.map((target) => send(target, call, account, figures)))
    const definite = answers.filter((answer) => answer !== null)
    // A refusal leaves the key free: the other of two may have been taken after all.
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

/** An answer that is kept with the key. */
function isFinal({ status }: Told): boolean {
  return status !== 402
}

function isSameAnswer(one: Told, other: Told): boolean {
  return one.status === other.status && isDeepStrictEqual(one.body, other.body)
}

/** Null where the answer leaves open what happened. */
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
