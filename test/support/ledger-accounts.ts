/** Opens accounts with credits for the fault test of the ledger, through the API. */
import assert from 'node:assert/strict'
import { createCookieJar } from './cookie-jar.ts'
import type { LedgerAccount } from './ledger-clients.ts'

const welcomeCredits = 50

/** Opens a signed-in account for each amount of credits. */
export async function openLedgerAccounts(
  url: string,
  wealths: readonly number[],
): Promise<LedgerAccount[]> {
  const admin = await cookieOf(await fetch(`${url}/api/dev-login`, { redirect: 'manual' }), 302)
  const accounts: LedgerAccount[] = []
  for (const [index, grants] of wealths.entries()) {
    const registered = await post(`${url}/api/auth/register`, {
      email: `spender-${index}@example.test`,
      password: 'a long enough password',
    })
    const { id } = (await registered.clone().json()) as { id: string }
    const granted = await post(
      `${url}/api/admin/users/${id}/grant`,
      { amount: grants - welcomeCredits, reason: 'To be spent' },
      admin,
    )
    assert.deepEqual(await granted.json(), { balance: grants })
    accounts.push({ id, grants, cookie: await cookieOf(registered, 201) })
  }
  return accounts
}

function post(url: string, body: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', cookie }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function cookieOf(answer: Response, status: number): Promise<string> {
  assert.equal(answer.status, status, await answer.text())
  const jar = createCookieJar()
  jar.keep(answer.headers.getSetCookie())
  return jar.header()
}
