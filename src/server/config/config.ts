/** Parses the environment once, then checks the values together. An error is one line with the variable. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { SourceId } from '../../contract/sources.ts'
import type { PolicyName } from '../../contract/limits.ts'
import { isLoopbackHost, parseTrustedProxies } from '../platform/client-ip.ts'
import type { LimitRule } from '../platform/limits/limit-store.ts'
import { reasonOf } from '../platform/start-error.ts'
import type { Environment, Read } from './environment.ts'
import { readerOf } from './environment.ts'
import { readSecretKeys, readSessionSecrets } from './secrets.ts'
import type { Setting } from './setting.ts'
import { SettingError } from './setting.ts'
import { settings } from './settings.ts'

export type Config = ReturnType<typeof assemble>

/** Returns the environment on top of the `.env` file of the working folder. */
export function readEnvironment(folder: string, environment: Environment): Environment {
  const file = join(folder, '.env')
  if (!existsSync(file)) return environment
  try {
    return { ...parseEnv(readFileSync(file, 'utf8')), ...environment }
  } catch (error) {
    throw new SettingError('.env', `cannot be read: ${reasonOf(error)}`)
  }
}

export function parseConfig(environment: Environment): Config {
  return assemble(readerOf(environment))
}

function assemble(read: Read) {
  const production = read(settings.nodeEnv) === 'production'
  const dataDir = resolve(read(settings.dataDir))
  const port = read(settings.port) ?? 5000
  const baseUrl = read(settings.baseUrl)
  if (production && !baseUrl) throw new SettingError('BASE_URL', 'is required in production')
  // A development start lets any visitor become an administrator.
  if (!production && baseUrl && !isLoopbackHost(new URL(baseUrl).hostname))
    throw new SettingError('NODE_ENV', `must be production if BASE_URL is ${baseUrl}`)
  const databaseUrl = read(settings.databaseUrl)
  const host = read(settings.host)
  const trustedProxies = read(settings.trustedProxies)
  const limits: Record<PolicyName, LimitRule | null> = {
    public: read(settings.limitPublic),
    captions: read(settings.limitCaptions),
    feed: read(settings.limitFeed),
    auth: read(settings.limitAuth),
    import: read(settings.limitImport),
    callback: read(settings.limitCallback),
    payment: read(settings.limitPayment),
    webhook: read(settings.limitWebhook),
    admin: read(settings.limitAdmin),
    report: read(settings.limitReport),
    upload: read(settings.limitUpload),
    share_password: read(settings.limitSharePassword),
    mail: read(settings.limitMail),
    room: read(settings.limitRoom),
  }
  const sessionSecrets = readSessionSecrets(read, { production, dataDir })
  return {
    production,
    host,
    port,
    baseUrl: baseUrl ?? `http://localhost:${port}`,
    dataDir,
    databaseUrl,
    databaseDirectUrl: readBeside(read, settings.databaseDirectUrl, databaseUrl) ?? databaseUrl,
    databaseReplicaUrl: readBeside(read, settings.databaseReplicaUrl, databaseUrl),
    activityKeepDays: read(settings.activityKeepDays) ?? 730,
    embeddedSync: read(settings.embeddedSync) !== 'off',
    redisUrl: read(settings.redisUrl),
    storage: readStorage(read),
    sessionSecrets,
    /** The last keys open what was sealed before SECRET_KEYS was set. */
    secretKeys: [...readSecretKeys(read, production), ...sessionSecrets],
    oidc: readOidc(read, production),
    mail: readMail(read),
    registration: read(settings.registration) ?? (production ? 'closed' : 'open'),
    devAccounts: production ? [] : readDevAccounts(read),
    feed: readFeed(read, production),
    folders: readFolders(read),
    linkChecks: read(settings.linkChecks) !== 'off',
    captions: readCaptions(read, production),
    imgchest: { apiUrl: read(settings.imgchestApiUrl), token: read(settings.imgchestToken) },
    credits: read(settings.credits) ?? 'on',
    payments: readPayments(read),
    limits,
    trustedProxies: trustedProxies ?? parseTrustedProxies(undefined),
    /** Warnings that are logged at the start, one line each. */
    warnings: [
      ...(trustedProxies || isLoopbackHost(host)
        ? []
        : ['TRUSTED_PROXIES is not set: X-Forwarded-For is accepted from every private address']),
      ...(production && baseUrl && isPlainHttp(baseUrl)
        ? [`BASE_URL is ${baseUrl}: browsers do not keep a sign-in over http, use https`]
        : []),
    ],
    fetchAllow: production ? [] : read(settings.fetchAllow),
    metricsToken: read(settings.metricsToken),
    logLevel: read(settings.logLevel) ?? 'info',
  }
}

/** Returns true for http on another machine, where browsers drop the `Secure` cookie of production. */
function isPlainHttp(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !isLoopbackHost(hostname)
}

/** Reads another address of the same server, or of its replica. */
function readBeside(
  read: Read,
  setting: Setting<string | undefined>,
  databaseUrl: string | undefined,
): string | undefined {
  const url = read(setting)
  if (url && !databaseUrl)
    throw new SettingError('DATABASE_URL', `is required with ${setting.name}`)
  return url
}

function readStorage(read: Read) {
  if (read(settings.storage) !== 's3') return { kind: 'fs' as const }
  return {
    kind: 's3' as const,
    endpoint: read(settings.s3Endpoint),
    publicEndpoint: read(settings.s3PublicEndpoint),
    region: read(settings.s3Region),
    accessKeyId: required(read, settings.s3AccessKeyId, 'with STORAGE=s3'),
    secretAccessKey: required(read, settings.s3SecretAccessKey, 'with STORAGE=s3'),
    buckets: {
      'user-media': read(settings.s3BucketUserMedia),
      general: read(settings.s3BucketGeneral),
    },
  }
}

function readOidc(read: Read, production: boolean) {
  const parts = [settings.oidcIssuer, settings.oidcClientId, settings.oidcClientSecret]
  if (parts.every((part) => read(part) === undefined)) return undefined
  const issuer = required(read, settings.oidcIssuer, 'with the other OIDC settings')
  if (production && !issuer.startsWith('https:'))
    throw new SettingError(settings.oidcIssuer.name, 'must be an https URL in production')
  return {
    issuer,
    clientId: required(read, settings.oidcClientId, 'with the other OIDC settings'),
    clientSecret: required(read, settings.oidcClientSecret, 'with the other OIDC settings'),
    roleClaim: read(settings.oidcRoleClaim),
  }
}

function readMail(read: Read) {
  const parts = [settings.smtpUrl, settings.mailFrom]
  if (parts.every((part) => read(part) === undefined)) return undefined
  return {
    url: required(read, settings.smtpUrl, 'with MAIL_FROM'),
    from: required(read, settings.mailFrom, 'with SMTP_URL'),
  }
}

function readDevAccounts(read: Read) {
  const accounts = [
    { email: read(settings.devEmail1), password: read(settings.devPassword1) },
    { email: read(settings.devEmail2), password: read(settings.devPassword2) },
    { email: read(settings.devEmail3), password: read(settings.devPassword3) },
  ]
  const emails = accounts.map(({ email }) => email.toLowerCase())
  const twice = emails.findIndex((email, index) => emails.indexOf(email) !== index)
  if (twice >= 0)
    throw new SettingError(`DEV_EMAIL_${twice + 1}`, 'is the e-mail of another development account')
  return accounts.map((account, index) => ({ ...account, id: `dev-user-${index + 1}` }))
}

function readFeed(read: Read, production: boolean) {
  const ids = readSources(read, production)
  return {
    ids,
    blueskyUrl: read(settings.blueskyUrl),
    filmOrigins: ids.includes('bluesky') ? filmOriginsOf(read(settings.blueskyUrl)) : [],
    commonsUrl: read(settings.commonsUrl),
    immichUrl: read(settings.immichUrl),
    reddit: {
      clientId: read(settings.redditClientId),
      clientSecret: read(settings.redditClientSecret),
      userAgent: read(settings.redditUserAgent),
      authUrl: read(settings.redditAuthUrl),
      apiUrl: read(settings.redditApiUrl),
    },
    lemmy: { url: read(settings.lemmyUrl) },
  }
}

/** Returns the origins of segmented films (HLS): Bluesky's own, and a server set by the operator. */
function filmOriginsOf(blueskyUrl: string): string[] {
  const own = ['https://video.bsky.app', 'https://video.cdn.bsky.app']
  return blueskyUrl === settings.blueskyUrl.fallback ? own : [...own, new URL(blueskyUrl).origin]
}

function readFolders(read: Read) {
  const dir = read(settings.foldersDir)
  return dir === undefined
    ? null
    : { dir: resolve(dir), openTo: read(settings.foldersFor) ?? ('admin' as const) }
}

/** Returns the sources, the site's own first. Empty if the feed is off. */
function readSources(read: Read, production: boolean): SourceId[] {
  const first = refuseDemo(settings.feed.name, read(settings.feed), production)
  const several = read(settings.feeds)
  for (const id of several ?? []) refuseDemo(settings.feeds.name, id, production)
  if (first === 'off') return []
  if (first === undefined && several === undefined) return production ? [] : ['demo']
  return [...new Set([...(first ? [first] : []), ...(several ?? [])])]
}

function readCaptions(read: Read, production: boolean) {
  const kind = refuseDemo(settings.captions.name, read(settings.captions), production)
  return {
    kind: kind ?? (production ? 'openai' : 'demo'),
    baseUrl: read(settings.captionBaseUrl),
    apiKey: read(settings.captionApiKey),
    model: read(settings.captionModel),
  }
}

/** Reads the payment methods. A partly configured one is an error: it could not confirm its payments. */
function readPayments(read: Read) {
  return {
    nowpayments: readNowpayments(read),
    telegram: readTelegram(read),
    web3: readWeb3(read),
  }
}

function readNowpayments(read: Read) {
  const url = read(settings.nowpaymentsUrl)
  const parts = [settings.nowpaymentsApiKey, settings.nowpaymentsIpnSecret]
  if (parts.every((part) => read(part) === undefined)) return undefined
  return {
    url,
    apiKey: required(read, settings.nowpaymentsApiKey, 'with NOWPAYMENTS_IPN_SECRET'),
    ipnSecret: required(read, settings.nowpaymentsIpnSecret, 'with NOWPAYMENTS_API_KEY'),
  }
}

function readTelegram(read: Read) {
  const apiUrl = read(settings.telegramApiUrl)
  const parts = [settings.telegramBotToken, settings.telegramWebhookSecret]
  if (parts.every((part) => read(part) === undefined)) return undefined
  return {
    apiUrl,
    botToken: required(read, settings.telegramBotToken, 'with TELEGRAM_WEBHOOK_SECRET'),
    webhookSecret: required(read, settings.telegramWebhookSecret, 'with TELEGRAM_BOT_TOKEN'),
  }
}

function readWeb3(read: Read) {
  const confirmations = read(settings.web3Confirmations) ?? 3
  const { web3RpcUrl, web3ChainId, web3Token, web3Recipient } = settings
  const parts = [web3RpcUrl, web3ChainId, web3Token, web3Recipient]
  if (parts.every((part) => read<unknown>(part) === undefined)) return undefined
  const when = 'with the other WEB3 settings'
  return {
    confirmations,
    rpcUrl: required(read, web3RpcUrl, when),
    chainId: required(read, web3ChainId, when),
    token: required(read, web3Token, when),
    recipient: required(read, web3Recipient, when),
  }
}

function refuseDemo<T extends string>(name: string, kind: T | undefined, production: boolean) {
  if (kind !== 'demo' || !production) return kind
  throw new SettingError(name, "must not be 'demo' in production")
}

function required<T>(read: Read, setting: Setting<T | undefined>, when: string): T {
  const value = read(setting)
  if (value === undefined) throw new SettingError(setting.name, `is required ${when}`)
  return value
}
