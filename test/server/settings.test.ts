/** Settings from the environment: an invalid one is refused by its name, and a weak one causes a warning. */
import { expect, test } from 'vitest'
import { parseConfig } from '../../src/server/config/config.ts'
import { SettingError } from '../../src/server/config/setting.ts'

const secret = 'a secret that is long enough'
const production = {
  NODE_ENV: 'production',
  BASE_URL: 'https://lanternist.test',
  SESSION_SECRET: secret,
}
const s3 = { STORAGE: 's3', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
const oidc = {
  OIDC_ISSUER: 'https://id.test',
  OIDC_CLIENT_ID: 'lanternist',
  OIDC_CLIENT_SECRET: 'secret',
}
const web3 = {
  WEB3_RPC_URL: 'http://127.0.0.1:8545',
  WEB3_CHAIN_ID: '31337',
  WEB3_TOKEN: `0x${'1'.repeat(40)}`,
  WEB3_RECIPIENT: `0x${'2'.repeat(40)}`,
}

const wrongSettings: [variable: string, environment: Record<string, string>][] = [
  ['NODE_ENV', { NODE_ENV: 'staging' }],
  ['NODE_ENV', { BASE_URL: 'https://lanternist.test' }],
  ['NODE_ENV', { BASE_URL: 'http://192.168.1.5:5000' }],
  ['NODE_ENV', { BASE_URL: 'http://localhost.lanternist.test' }],
  ['NODE_ENV', { NODE_ENV: 'test', BASE_URL: 'https://lanternist.test' }],
  ['PORT', { PORT: 'http' }],
  ['PORT', { PORT: '65536' }],
  ['PORT', { PORT: '-1' }],
  ['PORT', { PORT: '80.5' }],
  ['BASE_URL', { BASE_URL: 'lanternist.test' }],
  ['BASE_URL', { ...production, BASE_URL: '' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://127.0.0.1/lanternist' }],
  ['DATABASE_URL', { DATABASE_URL: '127.0.0.1' }],
  ['REDIS_URL', { REDIS_URL: 'http://127.0.0.1:6379' }],
  ['STORAGE', { STORAGE: 'ftp' }],
  ['S3_ACCESS_KEY_ID', { ...s3, S3_ACCESS_KEY_ID: '' }],
  ['S3_SECRET_ACCESS_KEY', { ...s3, S3_SECRET_ACCESS_KEY: '' }],
  ['S3_ENDPOINT', { ...s3, S3_ENDPOINT: 's3.test' }],
  ['SESSION_SECRET', { SESSION_SECRET: 'short' }],
  ['SESSION_SECRET', { ...production, SESSION_SECRET: ' ' }],
  ['SESSION_SECRET', { ...production, SESSION_SECRET: 'a'.repeat(64) }],
  ['SESSION_SECRET', { ...production, SESSION_SECRET: 'changemechangemechangeme' }],
  ['SESSION_SECRET', { ...production, SESSION_SECRET: '12345678901234567890' }],
  ['SESSION_SECRET', { ...production, SESSION_SECRET: 'abcdefghijklmnopqrstuvwxyz' }],
  ['SECRET_KEYS', { ...production, SECRET_KEYS: `${'ab'.repeat(16)},${secret}` }],
  ['SESSION_SECRET_PREVIOUS', { SESSION_SECRET_PREVIOUS: 'short' }],
  ['SESSION_SECRET_PREVIOUS', { SESSION_SECRET_PREVIOUS: secret }],
  ['OIDC_ISSUER', { ...oidc, OIDC_ISSUER: '' }],
  ['OIDC_ISSUER', { ...oidc, ...production, OIDC_ISSUER: 'http://id.test' }],
  ['OIDC_CLIENT_ID', { ...oidc, OIDC_CLIENT_ID: '' }],
  ['OIDC_CLIENT_SECRET', { ...oidc, OIDC_CLIENT_SECRET: '' }],
  ['REGISTRATION', { REGISTRATION: 'maybe' }],
  ['FEED', { FEED: 'gopher' }],
  ['FEED', { ...production, FEED: 'demo' }],
  ['CAPTIONS', { ...production, CAPTIONS: 'demo' }],
  ['TELEGRAM_WEBHOOK_SECRET', { TELEGRAM_WEBHOOK_SECRET: 'with spaces' }],
  ['NOWPAYMENTS_IPN_SECRET', { NOWPAYMENTS_API_KEY: 'key' }],
  ['NOWPAYMENTS_API_KEY', { NOWPAYMENTS_IPN_SECRET: 'secret' }],
  ['NOWPAYMENTS_URL', { NOWPAYMENTS_URL: 'api.nowpayments.io' }],
  ['TELEGRAM_WEBHOOK_SECRET', { TELEGRAM_BOT_TOKEN: '1:token' }],
  ['TELEGRAM_BOT_TOKEN', { TELEGRAM_WEBHOOK_SECRET: 'secret' }],
  ['WEB3_RECIPIENT', { ...web3, WEB3_RECIPIENT: '' }],
  ['WEB3_RPC_URL', { ...web3, WEB3_RPC_URL: '' }],
  ['WEB3_CHAIN_ID', { WEB3_CHAIN_ID: '0' }],
  ['WEB3_TOKEN', { WEB3_TOKEN: '0x1234' }],
  ['WEB3_RECIPIENT', { WEB3_RECIPIENT: 'lanternist.eth' }],
  ['WEB3_CONFIRMATIONS', { WEB3_CONFIRMATIONS: 'a few' }],
  ['RATE_LIMIT_PUBLIC', { RATE_LIMIT_PUBLIC: '100' }],
  ['RATE_LIMIT_AUTH', { RATE_LIMIT_AUTH: '0/900' }],
  ['RATE_LIMIT_FEED', { RATE_LIMIT_FEED: 'on' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'the proxy' }],
  ['FETCH_ALLOW', { FETCH_ALLOW: '127.0.0.1' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'chatty' }],
]

test.each(wrongSettings)(
  '%s is refused with one line that names it: %o',
  (variable, environment) => {
    const refusal = refusalOf({ SESSION_SECRET: secret, ...environment })
    expect(refusal).toBeInstanceOf(SettingError)
    expect(refusal.message).toMatch(new RegExp(`^${variable} \\S.*$`))
    expect(refusal.message).not.toContain('\n')
  },
)

test('the settings from which the wrong ones are made are valid', () => {
  const local = [
    'http://localhost:5000',
    'http://lamp.localhost',
    'http://127.8.8.8',
    'http://[::1]:1',
  ]
  const developments = local.map((BASE_URL) => ({ BASE_URL }))
  // Accepted: a weak secret that is being replaced, and one in development.
  const weak = 'a'.repeat(64)
  const replaced = { SESSION_SECRET_PREVIOUS: weak, SECRET_KEYS: `${secret},${weak}` }
  const random = ['9f3ac07be51d8264', 'T0p+9/aQz3LwX7vB1nRk5g==']
  const secrets = random.map((SESSION_SECRET) => ({ ...production, SESSION_SECRET }))
  const strength = [{ ...production, ...replaced }, { SESSION_SECRET: weak }, ...secrets]
  const whole = [
    ...strength,
    production,
    s3,
    oidc,
    web3,
    { ...production, ...oidc },
    {},
    ...developments,
  ]
  for (const environment of whole) {
    expect(() => parseConfig({ SESSION_SECRET: secret, ...environment })).not.toThrow()
  }
})

test('a node that others reach says so where every private address may speak for anyone', () => {
  const warningsOf = (settings: Record<string, string>) =>
    parseConfig({ SESSION_SECRET: secret, ...settings }).warnings
  for (const HOST of ['0.0.0.0', '::', '192.168.1.5']) {
    expect(warningsOf({ HOST })).toEqual([expect.stringMatching(/^TRUSTED_PROXIES is not set/)])
    expect(warningsOf({ HOST, TRUSTED_PROXIES: '192.168.1.1' })).toEqual([])
    expect(warningsOf({ HOST, TRUSTED_PROXIES: 'none' })).toEqual([])
  }
  for (const HOST of ['127.0.0.1', '::1', 'localhost']) expect(warningsOf({ HOST })).toEqual([])
})

test('production says so where its address is http and others reach it', () => {
  const warningsAt = (BASE_URL: string) => parseConfig({ ...production, BASE_URL }).warnings
  expect(warningsAt('http://lanternist.test')).toEqual([
    expect.stringMatching(/^BASE_URL is http:\/\/lanternist\.test: .*https/),
  ])
  for (const fine of ['https://lanternist.test', 'http://127.0.0.1:5000', 'http://lamp.localhost'])
    expect(warningsAt(fine)).toEqual([])
})

function refusalOf(environment: Record<string, string>): Error {
  try {
    parseConfig(environment)
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('the settings were accepted')
}
