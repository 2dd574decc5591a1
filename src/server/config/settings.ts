/** Every environment variable that the service reads (contract, section 12), with its documentation. */
import type { SourceId } from '../../contract/sources.ts'
import { feedIds, sourceIds } from '../../contract/sources.ts'
import type { TrustedProxies } from '../platform/client-ip.ts'
import { parseTrustedProxies } from '../platform/client-ip.ts'
import type { LimitRule } from '../platform/limits/limit-store.ts'
import { databaseSettings } from './database-settings.ts'
import {
  choiceSetting,
  parsedSetting,
  patternSetting,
  textSetting,
  textSettingOr,
  urlSetting,
  urlSettingOr,
  wholeNumberSetting,
} from './setting.ts'

const web = ['http:', 'https:']

const longEnough = /^.{16,}$/
const tooShort = 'must have at least 16 characters'

const address = /^0x[0-9a-fA-F]{40}$/

export const settings = {
  nodeEnv: choiceSetting('NODE_ENV', ['development', 'production', 'test'], {
    fallback: 'development',
    meaning:
      "'production' turns development accounts off and secure cookies on, and refuses to start with a demo adapter; anything else needs a BASE_URL on this machine",
  }),
  host: textSettingOr('HOST', '127.0.0.1', 'the address it listens on'),
  port: wholeNumberSetting(
    'PORT',
    { min: 0, max: 65_535 },
    {
      fallback: '5000',
      meaning: 'the port it listens on',
    },
  ),
  baseUrl: urlSetting('BASE_URL', web, {
    fallback: 'http://localhost:5000',
    meaning: 'what links say; required in production',
  }),
  dataDir: textSettingOr('DATA_DIR', './data', 'embedded database and file storage'),
  ...databaseSettings,
  redisUrl: urlSetting('REDIS_URL', ['redis:', 'rediss:'], {
    fallback: 'none: in-process',
    meaning: 'rate limits that all nodes share',
  }),
  storage: choiceSetting('STORAGE', ['fs', 's3'], {
    fallback: 'fs',
    meaning: "'fs' keeps files in DATA_DIR, 's3' in an S3 store",
  }),
  s3Endpoint: urlSetting('S3_ENDPOINT', web, { meaning: 'the S3 store, where it is not AWS' }),
  s3PublicEndpoint: parsedSetting('S3_PUBLIC_ENDPOINT', parsePublicEndpoint, {
    fallback: 'as S3_ENDPOINT',
    meaning:
      "where browsers reach the store for presigned links, or 'none': nodes send files themselves",
  }),
  s3Region: textSettingOr('S3_REGION', 'us-east-1', 'its region'),
  s3AccessKeyId: textSetting('S3_ACCESS_KEY_ID', { meaning: 'its key; required with s3' }),
  s3SecretAccessKey: textSetting('S3_SECRET_ACCESS_KEY', {
    meaning: 'its secret; required with s3',
  }),
  s3BucketUserMedia: textSettingOr('S3_BUCKET_USER_MEDIA', 'user-media', 'bucket of private files'),
  s3BucketGeneral: textSettingOr('S3_BUCKET_GENERAL', 'general', 'bucket of published copies'),
  sessionSecret: patternSetting('SESSION_SECRET', longEnough, tooShort, {
    fallback: 'random, kept in DATA_DIR',
    meaning: 'signs cookies and media URLs; required in production, where it has to be random',
  }),
  sessionSecretPrevious: patternSetting('SESSION_SECRET_PREVIOUS', longEnough, tooShort, {
    meaning: 'still verifies what it signed, so that SESSION_SECRET can be changed',
  }),
  secretKeys: parsedSetting('SECRET_KEYS', parseSecretKeys, {
    fallback: 'derived from SESSION_SECRET',
    meaning:
      'comma-separated keys that encrypt what users entrust to the site; the first encrypts, all decrypt',
  }),
  oidcIssuer: urlSetting('OIDC_ISSUER', web, { meaning: 'OIDC sign-in, with the two below' }),
  oidcClientId: textSetting('OIDC_CLIENT_ID', { meaning: 'our id at the provider' }),
  oidcClientSecret: textSetting('OIDC_CLIENT_SECRET', { meaning: 'our secret at the provider' }),
  oidcRoleClaim: textSetting('OIDC_ROLE_CLAIM', {
    meaning:
      "the claim that holds 'user', 'admin' or 'super_admin', where the provider decides roles",
  }),
  smtpUrl: urlSetting('SMTP_URL', ['smtp:', 'smtps:'], {
    meaning: 'the mail server, with user and password; without it nothing is sent',
  }),
  mailFrom: patternSetting(
    'MAIL_FROM',
    /^[^\r\n]*[^\s@<>]@[^\s@<>]+>?$/,
    'must be an e-mail address',
    {
      meaning: 'who mail comes from; required with SMTP_URL',
    },
  ),
  registration: choiceSetting('REGISTRATION', ['open', 'closed'], {
    fallback: 'open in development, else closed',
    meaning: 'whether anyone may register; the admin setting wins once it has been changed',
  }),
  devEmail1: textSettingOr('DEV_EMAIL_1', 'dev1@example.test', 'first development account'),
  devPassword1: textSettingOr('DEV_PASSWORD_1', 'dev-password-1', 'its password'),
  devEmail2: textSettingOr('DEV_EMAIL_2', 'dev2@example.test', 'second development account'),
  devPassword2: textSettingOr('DEV_PASSWORD_2', 'dev-password-2', 'its password'),
  devEmail3: textSettingOr('DEV_EMAIL_3', 'dev3@example.test', 'third development account'),
  devPassword3: textSettingOr('DEV_PASSWORD_3', 'dev-password-3', 'its password'),
  feed: choiceSetting('FEED', [...feedIds, 'off'], {
    fallback: 'demo in development, else off',
    meaning: 'where sessions are filled from; without credentials it answers MISSING_CREDENTIALS',
  }),
  feeds: parsedSetting('FEEDS', parseSources, {
    fallback: 'as FEED says',
    meaning: `comma-separated sources that sessions can be filled from, of ${sourceIds.join(', ')}; the first is the site's own, whose names need no prefix, and FEED is put before it`,
  }),
  blueskyUrl: urlSettingOr('BLUESKY_URL', web, 'https://public.api.bsky.app', {
    meaning:
      'the host of its API, which has /xrpc below it; if changed, pages may fetch films from it too',
  }),
  commonsUrl: urlSettingOr('COMMONS_URL', web, 'https://commons.wikimedia.org/w/api.php', {
    meaning: 'the whole address of its api.php',
  }),
  immichUrl: urlSetting('IMMICH_URL', web, {
    meaning: 'the origin, without /api, of the Immich server that people may connect',
  }),
  foldersDir: textSetting('FOLDERS_DIR', {
    meaning: 'a folder on this machine; those below it are offered as sources, read only',
  }),
  foldersFor: choiceSetting('FOLDERS_FOR', ['admin', 'user'], {
    fallback: 'admin',
    meaning: "who may fill sessions from FOLDERS_DIR: administrators, or with 'user' every account",
  }),
  redditClientId: textSetting('REDDIT_CLIENT_ID', { meaning: 'for FEED=reddit' }),
  redditClientSecret: textSetting('REDDIT_CLIENT_SECRET', { meaning: 'for FEED=reddit' }),
  redditUserAgent: textSetting('REDDIT_USER_AGENT', { meaning: 'for FEED=reddit' }),
  redditAuthUrl: urlSetting('REDDIT_AUTH_URL', web, {
    fallback: 'the public one',
    meaning: "the token endpoint's whole URL",
  }),
  redditApiUrl: urlSetting('REDDIT_API_URL', web, {
    fallback: 'the public one',
    meaning: 'the API',
  }),
  lemmyUrl: urlSetting('LEMMY_URL', web, { meaning: 'the instance for FEED=lemmy' }),
  linkChecks: choiceSetting('LINK_CHECKS', ['on', 'off'], {
    fallback: 'on',
    meaning:
      'whether slides are looked for at their addresses now and then, and replaced when gone',
  }),
  captions: choiceSetting('CAPTIONS', ['openai', 'demo', 'off'], {
    fallback: 'demo in development, else openai',
    meaning: 'what writes captions; without key and base URL it answers requiresApiKey',
  }),
  captionBaseUrl: urlSetting('CAPTION_BASE_URL', web, {
    meaning: 'any OpenAI-compatible server, with its /v1',
  }),
  captionApiKey: textSetting('CAPTION_API_KEY', { meaning: 'its key' }),
  captionModel: textSetting('CAPTION_MODEL', { fallback: 'gpt-4o-mini', meaning: 'its model' }),
  imgchestApiUrl: urlSetting('IMGCHEST_API_URL', web, {
    fallback: 'the public one',
    meaning: 'imports of imgchest posts',
  }),
  imgchestToken: textSetting('IMGCHEST_TOKEN', {
    meaning: 'imports them through its API; without it their public pages are read',
  }),
  nowpaymentsApiKey: textSetting('NOWPAYMENTS_API_KEY', {
    meaning: "method 'crypto', with the secret below",
  }),
  nowpaymentsIpnSecret: textSetting('NOWPAYMENTS_IPN_SECRET', { meaning: 'signs its callbacks' }),
  nowpaymentsUrl: urlSetting('NOWPAYMENTS_URL', web, {
    fallback: 'the public one',
    meaning: 'its API',
  }),
  telegramBotToken: textSetting('TELEGRAM_BOT_TOKEN', {
    meaning: "method 'telegram_stars', with the secret below",
  }),
  telegramWebhookSecret: patternSetting(
    'TELEGRAM_WEBHOOK_SECRET',
    /^[A-Za-z0-9_-]{1,256}$/,
    'must be 1 to 256 of A-Z a-z 0-9 _ -',
    { meaning: 'the secret_token that setWebhook was given, for BASE_URL/api/webhooks/telegram' },
  ),
  telegramApiUrl: urlSetting('TELEGRAM_API_URL', web, {
    fallback: 'the public one',
    meaning: 'its API',
  }),
  web3RpcUrl: urlSetting('WEB3_RPC_URL', web, { meaning: "method 'web3', with the three below" }),
  web3ChainId: wholeNumberSetting(
    'WEB3_CHAIN_ID',
    { min: 1, max: Number.MAX_SAFE_INTEGER },
    {
      meaning: 'the chain',
    },
  ),
  web3Token: patternSetting('WEB3_TOKEN', address, 'must be an address of 0x and 40 hex digits', {
    meaning: 'the ERC-20 stablecoin',
  }),
  web3Recipient: patternSetting(
    'WEB3_RECIPIENT',
    address,
    'must be an address of 0x and 40 hex digits',
    { meaning: 'where payments go' },
  ),
  web3Confirmations: wholeNumberSetting(
    'WEB3_CONFIRMATIONS',
    { min: 1, max: 1000 },
    {
      fallback: '3',
      meaning: 'blocks before a transfer counts',
    },
  ),
  credits: choiceSetting('CREDITS', ['on', 'off'], {
    fallback: 'on',
    meaning: "'off' turns prices and their pages off until the admin setting is changed",
  }),
  limitPublic: limitSetting('RATE_LIMIT_PUBLIC', '100/900'),
  limitFeed: limitSetting('RATE_LIMIT_FEED', '30/300'),
  limitAuth: limitSetting('RATE_LIMIT_AUTH', '5/900'),
  limitImport: limitSetting('RATE_LIMIT_IMPORT', '5/900'),
  limitCallback: limitSetting('RATE_LIMIT_CALLBACK', '60/60'),
  limitPayment: limitSetting('RATE_LIMIT_PAYMENT', '10/900'),
  limitWebhook: limitSetting('RATE_LIMIT_WEBHOOK', '100/60'),
  limitCaptions: limitSetting('RATE_LIMIT_CAPTIONS', '120/900'),
  limitAdmin: limitSetting('RATE_LIMIT_ADMIN', '1000/900'),
  limitReport: limitSetting('RATE_LIMIT_REPORT', '10/900'),
  limitUpload: limitSetting('RATE_LIMIT_UPLOAD', '1000/900'),
  limitSharePassword: limitSetting('RATE_LIMIT_SHARE_PASSWORD', '10/900'),
  limitMail: limitSetting('RATE_LIMIT_MAIL', '5/3600'),
  limitRoom: limitSetting('RATE_LIMIT_ROOM', '240/60'),
  trustedProxies: parsedSetting('TRUSTED_PROXIES', parseGivenProxies, {
    fallback: 'loopback and private ranges',
    meaning: "comma-separated CIDRs whose X-Forwarded-For is believed, or 'none'",
  }),
  fetchAllow: parsedSetting('FETCH_ALLOW', parseHostPorts, {
    meaning: 'host:port pairs that may be fetched although they are not global, outside production',
  }),
  metricsToken: textSetting('METRICS_TOKEN', {
    fallback: 'none: loopback only',
    meaning: 'bearer token for /metrics',
  }),
  logLevel: choiceSetting(
    'LOG_LEVEL',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    { fallback: 'info', meaning: 'how much is logged' },
  ),
}

function parseGivenProxies(text: string | undefined): TrustedProxies | undefined {
  return text === undefined ? undefined : parseTrustedProxies(text)
}

/** Parses '100/900' as 100 requests in 900 seconds, and 'off' as no limit. */
function limitSetting(name: string, fallback: string) {
  return parsedSetting(name, (text) => parseLimit(text ?? fallback), {
    fallback,
    meaning: "requests/seconds, or 'off'",
  })
}

function parseLimit(text: string): LimitRule | null {
  if (text === 'off') return null
  const [, requests, seconds] = /^([1-9]\d{0,6})\/([1-9]\d{0,6})$/.exec(text) ?? []
  if (!requests || !seconds) throw new Error("must be written like '100/900' or be 'off'")
  return { requests: Number(requests), windowMs: Number(seconds) * 1000 }
}

function parseSources(text: string | undefined): SourceId[] | undefined {
  const names = (text ?? '').split(',').flatMap((name) => name.trim() || [])
  const ids = names.map((name) => {
    const id = sourceIds.find((id) => id === name)
    if (!id) throw new Error(`must be some of ${sourceIds.join(', ')}, which ${name} is not`)
    return id
  })
  return text === undefined ? undefined : [...new Set(ids)]
}

function parsePublicEndpoint(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined
  if (text === 'none') return null
  if (URL.canParse(text) && web.includes(new URL(text).protocol)) return text
  throw new Error("must be a URL like https://… or 'none'")
}

function parseHostPorts(text: string | undefined): string[] {
  const pairs = (text ?? '').split(',').map((pair) => pair.trim())
  const named = pairs.filter((pair) => pair !== '')
  const wrong = named.find((pair) => !/^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):\d{1,5}$/.test(pair))
  if (wrong !== undefined) throw new Error(`must be host:port pairs, which ${wrong} is not`)
  return named
}

function parseSecretKeys(text: string | undefined): string[] {
  const keys = (text ?? '').split(',').map((key) => key.trim())
  const given = keys.filter((key) => key !== '')
  if (given.some((key) => key.length < 16))
    throw new Error('must be keys of at least 16 characters')
  return given
}
