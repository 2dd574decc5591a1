/**
 * Mails that give access to accounts: guesses at their tokens, the time of requests for them, and a mail
 * server that is down. Guesses are limited, no time reveals a known address, and no request waits for a
 * mail.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { evenFrom, evenness, evenTo, isEven } from '../support/even-times.ts'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Random, Verdict } from '../support/fault.ts'
import { noRefillSeconds, verdict } from '../support/fault.ts'
import type { MailServer } from '../support/mail-server.ts'
import { startMailServer, tokenIn } from '../support/mail-server.ts'
import type { Timed } from '../support/outage-stage.ts'
import { registerCaller, slowestMs, summary, timed } from '../support/outage-stage.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { startService } from '../support/service-process.ts'
import { startSilentProxy, waysToFail } from '../support/silent-proxy.ts'

const guesses = 10_000
const atOnce = 20
const resetTries = 5
const timedTries = 2000
const crowd = 40
const maxMs = 3000
const mailWithinMs = 60_000

export const row: FaultRow = {
  budgetSeconds: 300,
  runs: 'in the table',
  shortTests: ['test/api/passwords.test.ts', 'test/api/email-change.test.ts'],
  mutant: {
    file: 'src/server/features/accounts/security/password-changes.ts',
    line: 'await takeMailToken(ctx, body.email)',
    becomes:
      "await takeMailToken(ctx, body.email); if (!(await ctx.db.selectFrom('users').select('id').where('email', '=', body.email).executeTakeFirst())) return { message: 'No such account' }",
  },
  checks: [
    {
      load: `${guesses} tokens for a new password, ${atOnce} at once`,
      goal: `${resetTries} are judged`,
      machine: 'shared',
      run: guessTokens,
    },
    {
      load: `${timedTries} ended and invented tokens, ${timedTries} known and unknown addresses, in turns`,
      goal: `U/n² within ${evenFrom}-${evenTo}`,
      run: timeAnswers,
    },
    {
      load: `mail server: ${waysToFail.join(', ')}, asked ${crowd} at a time`,
      goal: `202 within ${maxMs / 1000} s, and the mail comes when the server is back`,
      machine: 'waiting',
      run: loseServer,
    },
  ],
}

type Stage = { readonly service: ServiceProcess; readonly mail: MailServer }

async function openStage(
  tools: FaultTools,
  settings: (mail: MailServer) => Promise<Record<string, string>>,
): Promise<Stage> {
  const home = await newServerHome(tools)
  const mail = await startMailServer()
  tools.afterwards(() => mail.close())
  const more = { CAPTIONS: 'off', ...mail.settings, ...(await settings(mail)) }
  return { service: await startService({ ...home.settings, ...more }, home), mail }
}

async function guessTokens(tools: FaultTools): Promise<Verdict> {
  const { service } = await openStage(tools, async () => ({
    RATE_LIMIT_AUTH: `${resetTries}/${noRefillSeconds}`,
  }))
  const count = tools.scaled(guesses)
  const statuses = new Map<number, number>()
  let sent = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (sent < count) {
        sent += 1
        const { status } = await setPassword(service, randomToken(tools.random))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }),
  )
  const [judged, refused] = [statuses.get(400) ?? 0, statuses.get(429) ?? 0]
  return verdict(`${judged} judged, ${refused} refused`, {
    'not as many were judged as may be': judged === resetTries,
    'something else was answered': judged + refused === sent,
  })
}

async function timeAnswers(tools: FaultTools): Promise<Verdict> {
  const { service, mail } = await openStage(tools, async () => ({}))
  const known = 'ana@example.test'
  await registerCaller(service.url, 'ana')
  await forget(service, known)
  await until(() => mail.to(known).length > 0)
  const token = tokenIn(mail.to(known)[0])
  assert.equal((await setPassword(service, token)).status, 200)
  const count = tools.scaled(timedTries, 40)
  const ofTokens = await evenness(tools, count, (tried) => setPassword(service, tried), {
    first: () => token,
    second: () => randomToken(tools.random),
  })
  const ofAddresses = await evenness(tools, count, (email) => forget(service, email), {
    first: () => known,
    second: () => `n${tools.random.between(100, 999)}@example.test`,
  })
  return verdict(`U/n² ${ofTokens.toFixed(3)} of tokens, ${ofAddresses.toFixed(3)} of addresses`, {
    'the time tells which token there was': isEven(ofTokens),
    'the time tells who has an account': isEven(ofAddresses),
  })
}

async function loseServer(tools: FaultTools): Promise<Verdict> {
  const proxies: Awaited<ReturnType<typeof startSilentProxy>>[] = []
  const { service, mail } = await openStage(tools, async ({ settings }) => {
    const proxy = await startSilentProxy(Number(new URL(settings.SMTP_URL).port))
    tools.afterwards(() => proxy.close())
    proxies.push(proxy)
    return { SMTP_URL: `smtp://127.0.0.1:${proxy.port}` }
  })
  const [proxy] = proxies
  assert.ok(proxy)
  const held: Record<string, boolean> = {}
  const figures: string[] = []
  for (const way of waysToFail) {
    const name = `ana-${way}`
    const ana = await registerCaller(service.url, name)
    proxy.fail(way)
    const asked: Timed[] = await Promise.all(
      Array.from({ length: crowd }, (_, index) =>
        forget(service, `${index === 0 ? name : `n${index}`}@example.test`),
      ),
    )
    const others = await ana('/api/auth/user')
    await sleep(2000)
    const resumedMs = performance.now()
    proxy.resume()
    await until(() => mail.to(`${name}@example.test`).length > 0)
    const cameMs = Math.round(performance.now() - resumedMs)
    tools.say(`${way}: ${summary(asked)}; the mail came ${cameMs} ms after the return`)
    figures.push(`${way} ${slowestMs(asked)}/${cameMs} ms`)
    held[`${way}: something else was answered`] = asked.every(({ status }) => status === 202)
    held[`${way}: an answer took too long`] = slowestMs([...asked, others]) <= maxMs
    held[`${way}: the mail did not come`] = mail.to(`${name}@example.test`).length > 0
  }
  return verdict(`slowest answer/mail after the return: ${figures.join(', ')}`, held)
}

function forget({ url }: ServiceProcess, email: string): Promise<Timed> {
  return timed(`${url}/api/auth/password/forgot`, jsonBody({ email }))
}

function setPassword({ url }: ServiceProcess, token: string): Promise<Timed> {
  const newPassword = 'quite another long password'
  return timed(`${url}/api/auth/password/reset`, jsonBody({ token, newPassword }))
}

function jsonBody(body: object) {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/** Gives up without an error after a while. The caller checks the result. */
async function until(isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + mailWithinMs
  while (!isSo() && performance.now() < endMs) await sleep(50)
}

function randomToken(random: Random): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return Array.from({ length: 43 }, () => letters[random.between(0, letters.length - 1)]).join('')
}
