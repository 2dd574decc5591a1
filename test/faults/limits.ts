/** Everything that a caller can change to look like somebody else to the rate limits. */
import { request } from 'node:http'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { noRefillSeconds, verdict } from '../support/fault.ts'
import { devCookie, startService } from '../support/service-process.ts'

const authTries = 5
const publicCalls = 100
const more = 15

type Disguise = {
  readonly name: string
  /** The service ignores headers from an untrusted peer. */
  readonly peer?: 'trusted' | 'untrusted'
  readonly call: (index: number, cookie: string) => Sent
  readonly max: number
}

type Sent = {
  readonly method: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

const json = { 'content-type': 'application/json' }
let accounts = 0
/** Returns another account for each try, because the limit by account is not under test. */
const nextAccount = () => `somebody${(accounts += 1)}@example.test`
const wrong = (email = nextAccount()) => JSON.stringify({ email, password: 'wrong' })
const signIn = (headers: Record<string, string>, path = '/api/login', body = wrong()): Sent => ({
  method: 'POST',
  path,
  headers: { ...json, ...headers },
  body,
})
const spellings = [
  '/api/login',
  '/api/login/',
  '//api/login',
  '/api//login',
  '/API/LOGIN',
  '/api/%6cogin',
  '/api/%6Cogin',
  '/api/./login',
  '/api/x/../login',
  '/api/login?a=1',
  '/api/login?',
  '/api/login;a=1',
  '/api/login%2f',
  '/api/login%00',
  '/api/login%20',
]

const disguises: readonly Disguise[] = [
  {
    name: 'X-Forwarded-For from an untrusted peer',
    peer: 'untrusted',
    call: (index) => signIn({ 'x-forwarded-for': `198.51.100.${index}, 10.0.0.1` }),
    max: authTries,
  },
  {
    name: 'other headers of proxies',
    call: (index) =>
      signIn({
        forwarded: `for=198.51.100.${index}`,
        'x-real-ip': `198.51.100.${index}`,
        'cf-connecting-ip': `198.51.100.${index}`,
        'true-client-ip': `198.51.100.${index}`,
        'x-client-ip': `198.51.100.${index}`,
      }),
    max: authTries,
  },
  {
    name: 'more addresses behind the first',
    call: (index) => signIn({ 'x-forwarded-for': `203.0.113.200, 198.51.100.${index}` }),
    max: authTries,
  },
  {
    name: 'no addresses at all',
    call: (index) => signIn({ 'x-forwarded-for': `nobody-${index}` }),
    max: authTries,
  },
  {
    name: 'IPv6 neighbours in one /64',
    call: (index) => signIn({ 'x-forwarded-for': `2001:db8:1:2:${index}:3:4:${index}` }),
    max: authTries,
  },
  {
    name: 'cookies and agents',
    call: (index) =>
      signIn({ cookie: `connect.sid=${index}.x; a=${index}`, 'user-agent': `agent ${index}` }),
    max: authTries,
  },
  {
    name: 'fields of the body',
    call: (index) => signIn({}, '/api/login', wrong(`somebody${index}@example.test`)),
    max: authTries,
  },
  {
    name: 'a form or JSON',
    call: (index) =>
      index % 2 === 0
        ? signIn({})
        : signIn(
            { 'content-type': 'application/x-www-form-urlencoded' },
            '/api/login',
            new URLSearchParams({ email: nextAccount(), password: 'wrong' }).toString(),
          ),
    max: authTries,
  },
  {
    name: 'spellings of the path',
    call: (index) => signIn({}, spellings[index % spellings.length]),
    max: authTries,
  },
  {
    name: 'other methods by a header',
    call: (index) => signIn({ 'x-http-method-override': index % 2 === 0 ? 'GET' : 'PUT' }),
    max: authTries,
  },
  {
    name: 'HEAD beside GET',
    call: (index, cookie) => ({
      method: index % 2 === 0 ? 'HEAD' : 'GET',
      path: '/api/credits/balance',
      headers: { cookie },
    }),
    max: publicCalls,
  },
  {
    name: 'one endpoint after the other',
    call: (index, cookie) => ({
      method: 'GET',
      path: ['/api/credits/balance', '/api/sessions', '/api/user/media'][index % 3] ?? '',
      headers: { cookie },
    }),
    max: publicCalls,
  },
]

export const row: FaultRow = {
  budgetSeconds: 600,
  runs: 'in the table',
  machine: 'waiting',
  shortTests: ['test/api/limits.test.ts', 'test/http/client-ip.test.ts'],
  mutant: {
    file: 'src/server/platform/client-ip.ts',
    line: "if (address?.kind() !== 'ipv6') return address?.toString() ?? ip",
    becomes: "if (address?.kind() !== 'other') return address?.toString() ?? ip",
  },
  checks: [
    {
      load: `${disguises.length} disguises, as many tries as usual`,
      goal: 'the limit fires at N + 1',
      inSmoke: true,
      run: tryDisguises,
    },
  ],
}

async function tryDisguises({ say, afterwards }: FaultTools): Promise<Verdict> {
  const home = await newServerHome({ afterwards })
  const limited = {
    ...home.settings,
    RATE_LIMIT_AUTH: `${authTries}/${noRefillSeconds}`,
    RATE_LIMIT_PUBLIC: `${publicCalls}/${noRefillSeconds}`,
  }
  const held: Record<string, boolean> = {}
  const figures: string[] = []
  for (const isTrusted of [true, false]) {
    const settings = isTrusted ? {} : { TRUSTED_PROXIES: 'none' }
    const service = await startService({ ...limited, CAPTIONS: 'off', ...settings }, home)
    const cookie = await devCookie(service, 1)
    for (const [index, { name, call, max, peer = 'trusted' }] of disguises.entries()) {
      if ((peer === 'trusted') !== isTrusted) continue
      // Each disguise has its own address, so its bucket is full.
      const own = { 'x-forwarded-for': `203.0.113.${index}` }
      let [passed, refused] = [0, 0]
      for (let index = 0; index < max * 2 + more; index += 1) {
        const sent = call(index, cookie)
        const status = await send(service.url, { ...sent, headers: { ...own, ...sent.headers } })
        if (status === 429) refused += 1
        // A path that does not exist does not count as a try.
        else if (status !== 404) passed += 1
      }
      say(`${name}: ${passed} of ${passed + refused} got through`)
      if (passed !== max) figures.push(`${name} ${passed} instead of ${max}`)
      held[`${name} gets around it`] = passed <= max
      held[`${name} is limited too early`] = passed >= max && refused > 0
    }
    await service.stop()
  }
  return verdict(figures.length === 0 ? 'all at N + 1' : figures.join(', '), held)
}

function send(url: string, { method, path, headers = {}, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/`, { method, path, headers, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    asked.once('error', reject)
    asked.end(body)
  })
}
