/** Every environment variable that the service reads (contract, section 12), with its documentation. */
import type { SourceId } from '../../contract/sources.ts'
import { feedIds, sourceIds } from '../../contract/sources.ts'
import type { TrustedProxies } from '../platform/client-ip.ts'
import { parseTrustedProxies } from '../platform/client-ip.ts'
import type { LimitRule } from '../platform/limits/limit-store.ts'
import { databaseSettings } from './database-settings.ts'
import { paymentSettings } from './payment-settings.ts'
import {
  choiceSetting,
  parsedSetting,
  patternSetting,
  textSetting,
  textSettingOr,
  urlSetting,
  urlSettingOr,
  webSchemes,
  wholeNumberSetting,
} from './setting.ts'

const longEnough = /^.{16,}$/
const tooShort = 'must have at least 16 characters'

export const settings = {
  nodeEnv: choiceSetting('NODE_ENV', ['development', 'production', 'test'], {
    fallback: 'development',
    meaning:
      "'production' turns development accounts off and secure cookies on, and refuses to start with a demo adapter; any other value requires a BASE_URL on this machine",
  }),
  host: textSettingOr('HOST', '127.0.0.1', 'the address that the service listens on'),
  port: wholeNumberSetting(
    'PORT',
    { min: 0, max: 65_535 },
    {
      fallback: '5000',
      meaning: 'the port that the service listens on',
    },
  ),
  baseUrl: urlSetting('BASE_URL', webSchemes, {
    fallback: 'http://localhost:5000',
    meaning: 'the public address of the site, used in links; required in production',
  }),
  dataDir: textSettingOr(
    'DATA_DIR',
    './data',
    'the folder of the embedded database and the file storage',
  ),
  ...databaseSettings,
  redisUrl: urlSetting('REDIS_URL', ['redis:', 'rediss:'], {
    fallback: 'none: in-process',
    meaning: 'a Redis server, so that all nodes share their rate limits',
  }),
  storage: choiceSetting('STORAGE', ['fs', 's3'], {
    fallback: 'fs',
    meaning: "'fs' keeps files in DATA_DIR, 's3' in an S3 store",
  }),
  s3Endpoint: urlSetting('S3_ENDPOINT', webSchemes, { meaning: 'the S3 store, if it is not AWS' }),
  s3PublicEndpoint: parsedSetting('S3_PUBLIC_ENDPOINT', parsePublicEndpoint, {
    fallback: 'S3_ENDPOINT',
    meaning:
      "the address of the store for presigned links in browsers; 'none': the nodes send the files themselves",
  }),
  s3Region: textSettingOr('S3_REGION', 'us-east-1', 'the region of the S3 store'),
  s3AccessKeyId: textSetting('S3_ACCESS_KEY_ID', {
    meaning: 'the access key of the S3 store; required with s3',
  }),
  s3SecretAccessKey: textSetting('S3_SECRET_ACCESS_KEY', {
    meaning: 'the secret of that access key; required with s3',
  }),
  s3BucketUserMedia: textSettingOr('S3_BUCKET_USER_MEDIA', 'user-media', 'bucket of private files'),
  s3BucketGeneral: textSettingOr('S3_BUCKET_GENERAL', 'general', 'bucket of published copies'),
  sessionSecret: patternSetting('SESSION_SECRET', longEnough, tooShort, {
    fallback: 'random, kept in DATA_DIR',
    meaning: 'signs cookies and media URLs; required in production, where it must be random',
  }),
  sessionSecretPrevious: patternSetting('SESSION_SECRET_PREVIOUS', longEnough, tooShort, {
    meaning: 'the previous SESSION_SECRET: its signatures stay valid after a change',
  }),
  secretKeys: parsedSetting('SECRET_KEYS', parseSecretKeys, {
    fallback: 'derived from SESSION_SECRET',
    meaning:
      'comma-separated keys that encrypt stored secrets of users; the first one encrypts, all of them decrypt',
  }),
  oidcIssuer: urlSetting('OIDC_ISSUER', webSchemes, {
    meaning: 'the issuer URL for OIDC sign-in; needs the next two settings',
  }),
  oidcClientId: textSetting('OIDC_CLIENT_ID', { meaning: 'the client id at the OIDC provider' }),
  oidcClientSecret: textSetting('OIDC_CLIENT_SECRET', {
    meaning: 'the client secret at the OIDC provider',
  }),
  oidcRoleClaim: textSetting('OIDC_ROLE_CLAIM', {
    meaning:
      "the claim with the role ('user', 'admin' or 'super_admin'), if the provider decides roles",
  }),
  smtpUrl: urlSetting('SMTP_URL', ['smtp:', 'smtps:'], {
    meaning: 'the mail server, with user and password; without it no mail is sent',
  }),
  mailFrom: patternSetting(
    'MAIL_FROM',
    /^[^\r\n]*[^\s@<>]@[^\s@<>]+>?$/,
    'must be an e-mail address',
    {
      meaning: 'the sender of mails; required with SMTP_URL',
    },
  ),
  registration: choiceSetting('REGISTRATION', ['open', 'closed'], {
    fallback: 'open in development, else closed',
    meaning: 'whether anyone may register; the admin setting overrides it once it has been changed',
  }),
  devEmail1: textSettingOr('DEV_EMAIL_1', 'dev1@example.test', 'first development account'),
  devPassword1: textSettingOr('DEV_PASSWORD_1', 'dev-password-1', 'its password'),
  devEmail2: textSettingOr('DEV_EMAIL_2', 'dev2@example.test', 'second development account'),
  devPassword2: textSettingOr('DEV_PASSWORD_2', 'dev-password-2', 'its password'),
  devEmail3: textSettingOr('DEV_EMAIL_3', 'dev3@example.test', 'third development account'),
  devPassword3: textSettingOr('DEV_PASSWORD_3', 'dev-password-3', 'its password'),
  feed: choiceSetting('FEED', [...feedIds, 'off'], {
    fallback: 'demo in development, else off',
    meaning:
      'the source that fills sessions; without its credentials, requests fail with MISSING_CREDENTIALS',
  }),
  feeds: parsedSetting('FEEDS', parseSources, {
    fallback: 'the source in FEED',
    meaning: `comma-separated sources that can fill sessions, of ${sourceIds.join(', ')}; names without a prefix belong to the first source; FEED, if set, is put first`,
  }),
  blueskyUrl: urlSettingOr('BLUESKY_URL', webSchemes, 'https://public.api.bsky.app', {
    meaning:
      'the origin of the Bluesky API, without /xrpc; if changed, pages may also load films from it',
  }),
  commonsUrl: urlSettingOr('COMMONS_URL', webSchemes, 'https://commons.wikimedia.org/w/api.php', {
    meaning: 'the full address of the api.php of Wikimedia Commons',
  }),
  immichUrl: urlSetting('IMMICH_URL', webSchemes, {
    meaning: 'the origin of the Immich server that members may connect to, without /api',
  }),
  foldersDir: textSetting('FOLDERS_DIR', {
    meaning: 'a folder on this machine; its subfolders are offered as read-only sources',
  }),
  foldersFor: choiceSetting('FOLDERS_FOR', ['admin', 'user'], {
    fallback: 'admin',
    meaning:
      "who may fill sessions from FOLDERS_DIR: only administrators, or every account with 'user'",
  }),
  redditClientId: textSetting('REDDIT_CLIENT_ID', { meaning: 'for FEED=reddit' }),
  redditClientSecret: textSetting('REDDIT_CLIENT_SECRET', { meaning: 'for FEED=reddit' }),
  redditUserAgent: textSetting('REDDIT_USER_AGENT', { meaning: 'for FEED=reddit' }),
  redditAuthUrl: urlSetting('REDDIT_AUTH_URL', webSchemes, {
    fallback: 'the public server',
    meaning: "the full URL of Reddit's token endpoint",
  }),
  redditApiUrl: urlSetting('REDDIT_API_URL', webSchemes, {
    fallback: 'the public server',
    meaning: 'the origin of the Reddit API',
  }),
  lemmyUrl: urlSetting('LEMMY_URL', webSchemes, { meaning: 'the Lemmy instance for FEED=lemmy' }),
  linkChecks: choiceSetting('LINK_CHECKS', ['on', 'off'], {
    fallback: 'on',
    meaning: 'whether a background job checks the addresses of slides and replaces missing slides',
  }),
  captions: choiceSetting('CAPTIONS', ['openai', 'demo', 'off'], {
    fallback: 'demo in development, else openai',
    meaning:
      'the provider of captions; without key and base URL, requests fail with requiresApiKey',
  }),
  captionBaseUrl: urlSetting('CAPTION_BASE_URL', webSchemes, {
    meaning: 'the base URL of an OpenAI-compatible server, including /v1',
  }),
  captionApiKey: textSetting('CAPTION_API_KEY', { meaning: 'the API key for captions' }),
  captionModel: textSetting('CAPTION_MODEL', {
    fallback: 'gpt-4o-mini',
    meaning: 'the model for captions',
  }),
  imgchestApiUrl: urlSetting('IMGCHEST_API_URL', webSchemes, {
    fallback: 'the public server',
    meaning: 'the API for imports of imgchest posts',
  }),
  imgchestToken: textSetting('IMGCHEST_TOKEN', {
    meaning: 'imports imgchest posts through the API; without it, from their public pages',
  }),
  ...paymentSettings,
  credits: choiceSetting('CREDITS', ['on', 'off'], {
    fallback: 'on',
    meaning:
      "'off' disables credits and prices; the admin setting overrides it once it has been changed",
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
    meaning: "comma-separated CIDRs of proxies whose X-Forwarded-For is trusted, or 'none'",
  }),
  fetchAllow: parsedSetting('FETCH_ALLOW', parseHostPorts, {
    meaning:
      'host:port pairs of private addresses that the service may fetch; ignored in production',
  }),
  metricsToken: textSetting('METRICS_TOKEN', {
    fallback: 'none: loopback only',
    meaning: 'bearer token for /metrics',
  }),
  logLevel: choiceSetting(
    'LOG_LEVEL',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    { fallback: 'info', meaning: 'the lowest level that is logged' },
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
    if (!id) throw new Error(`must be some of ${sourceIds.join(', ')}, but has ${name}`)
    return id
  })
  return text === undefined ? undefined : [...new Set(ids)]
}

function parsePublicEndpoint(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined
  if (text === 'none') return null
  if (URL.canParse(text) && webSchemes.includes(new URL(text).protocol)) return text
  throw new Error("must be a URL like https://… or 'none'")
}

function parseHostPorts(text: string | undefined): string[] {
  const pairs = (text ?? '').split(',').map((pair) => pair.trim())
  const named = pairs.filter((pair) => pair !== '')
  const wrong = named.find((pair) => !/^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):\d{1,5}$/.test(pair))
  if (wrong !== undefined) throw new Error(`must be host:port pairs, but has ${wrong}`)
  return named
}

function parseSecretKeys(text: string | undefined): string[] {
  const keys = (text ?? '').split(',').map((key) => key.trim())
  const given = keys.filter((key) => key !== '')
  if (given.some((key) => key.length < 16))
    throw new Error('must be keys of at least 16 characters')
  return given
}
