/** The public information about a site, before sign-in (contract 13). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '../../src/contract/api.ts'
import { version } from '../../src/server/config/version.ts'
import { withRole } from '../support/admin-world.ts'
import { createFakeFeed } from '../support/fake-feed.ts'
import type { World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(() => world.close())

const far = { 'x-forwarded-for': '203.0.113.7' }

/** Returns the public information of a site with these settings. */
async function siteWith(settings: Record<string, string>) {
  const other = await createWorld(settings)
  try {
    return await other.visitor().site.read()
  } finally {
    await other.close()
  }
}

const production = {
  NODE_ENV: 'production',
  SESSION_SECRET: 'a secret that is long enough',
  BASE_URL: 'https://lanternist.test',
}

describe('a site', () => {
  test('returns everything that clients of a development start need', async () => {
    expect(await world.visitor().site.read()).toEqual({
      name: 'Lanternist',
      version,
      registration: 'open',
      signIn: ['password', 'development'],
      credits: 'on',
      tierNames: { free: 'Free', joi_curious: 'Plus', full_access: 'Full access', vip: 'Patron' },
      publicCommunity: true,
      mail: false,
      feeds: [
        { id: 'demo', name: 'Demo', example: 'mountainlight', needsConnection: false },
        { id: 'vault', name: 'Your vault', example: 'favorites', needsConnection: false },
      ],
      captions: true,
      paymentMethods: [],
      uploadLimitMb: 100,
      sourceUrl: null,
      languages: ['en'],
    })
  })

  test('shows development accounts only to visitors who may use them', async () => {
    expect((await world.visitor(far).site.read()).signIn).toEqual(['password'])
    expect((await world.visitor().site.read()).signIn).toContain('development')
  })

  test('follows the administrator’s settings at once', async () => {
    const ada = await withRole(world, 'ada', 'admin')
    const body = {
      siteName: '  The Magic Lantern ',
      uploadLimitMb: 7,
      registration: 'closed',
      credits: 'off',
      publicCommunity: false,
    } as const
    expect(await ada.admin.changeSettings({ body })).toMatchObject({
      siteName: 'The Magic Lantern',
      credits: 'off',
    })
    expect(await world.visitor().site.read()).toMatchObject({
      name: 'The Magic Lantern',
      uploadLimitMb: 7,
      registration: 'closed',
      credits: 'off',
      publicCommunity: false,
    })
    for (const wrong of [{ siteName: ' ' }, { siteName: 'x'.repeat(61) }, { credits: 'maybe' }])
      expect((await refused(ada.admin.changeSettings({ body: wrong as object }))).status).toBe(400)
  })

  test('has no limit', async () => {
    expect(api.site.read).not.toHaveProperty('limit')
    const answer = await world.visitor().fetch('/api/site')
    expect(answer.headers.has('x-ratelimit-limit')).toBe(false)
  })

  test('no longer has the list of sign-in methods that this replaces', async () => {
    expect((await world.visitor().fetch('/api/auth/methods')).status).toBe(404)
  })
})

describe('the site’s features', () => {
  test('in production without settings are few', async () => {
    expect(await siteWith(production)).toMatchObject({
      registration: 'closed',
      signIn: ['password', 'passkey'],
      credits: 'on',
      feeds: [],
      captions: false,
      paymentMethods: [],
      publicCommunity: false,
    })
  })

  test('are listed if their settings exist', async () => {
    const site = await siteWith({
      ...production,
      FEED: 'lemmy',
      LEMMY_URL: 'https://lemmy.test',
      CAPTION_API_KEY: 'key',
      NOWPAYMENTS_API_KEY: 'key',
      NOWPAYMENTS_IPN_SECRET: 'secret',
      TELEGRAM_BOT_TOKEN: 'token',
      TELEGRAM_WEBHOOK_SECRET: 'secret',
      REGISTRATION: 'open',
    })
    expect(site).toMatchObject({
      registration: 'open',
      feeds: [{ id: 'lemmy', name: 'Lemmy', needsConnection: false }, { id: 'vault' }],
      captions: true,
      paymentMethods: ['crypto', 'telegram_stars'],
    })
  })

  test('have no payment methods while credits are off', async () => {
    const site = await siteWith({
      CREDITS: 'off',
      NOWPAYMENTS_API_KEY: 'key',
      NOWPAYMENTS_IPN_SECRET: 'secret',
    })
    expect(site).toMatchObject({ credits: 'off', paymentMethods: [] })
  })

  test('list the provider, and passkeys beside it, on a production site with a provider', async () => {
    const oidc = { OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'us', OIDC_CLIENT_SECRET: 's' }
    const site = await siteWith({ ...production, ...oidc, REGISTRATION: 'open' })
    expect(site).toMatchObject({ signIn: ['oidc', 'passkey'], registration: 'closed' })
  })

  test('have no captions and no feed if they are off', async () => {
    expect(await siteWith({ FEED: 'off', CAPTIONS: 'off' })).toMatchObject({
      feeds: [],
      captions: false,
    })
  })

  test('follow the actual feed', async () => {
    const other = await createWorld({}, { feed: createFakeFeed() })
    const { feeds } = await other.visitor().site.read()
    await other.close()
    expect(feeds.map(({ id }) => id)).toEqual([createFakeFeed().name, 'vault'])
  })
})
