/** Compares the contract in code with its pages and with the mounted routes. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { renderSettingsPage } from '../../scripts/settings-page.ts'
import { endpoints } from '../../src/contract/api.ts'
import { settings } from '../../src/server/config/settings.ts'
import { routes } from '../../src/server/wiring.ts'
import {
  endpointsOnPages,
  plannedEndpoints,
  settingsOnPages,
  withoutNames,
} from '../support/contract-pages.ts'
import { testShared } from '../support/shared-corpora.ts'

/** Endpoints that the contract pages describe without a path, or omit although users plainly need them. */
const onNoPage = [
  'GET /api/enhance/recent',
  'GET /api/images/results',
  'POST /api/images/discard',
  'GET /api/oembed',
  'PATCH /api/admin/users/<>',
  'GET /api/admin/settings',
  'PATCH /api/admin/settings',
  'GET /api/admin/tags',
  'POST /api/admin/tags',
  'PATCH /api/admin/tags/<>',
  'GET /api/admin/categories',
  'POST /api/admin/categories',
  'PATCH /api/admin/categories/<>',
  'GET /api/admin/activity',
  'GET /api/admin/stats',
  'GET /api/admin/stats/days',
  'GET /api/admin/jobs',
  'GET /api/admin/sources',
  'POST /api/admin/jobs/<>/retry',
  'DELETE /api/admin/jobs/<>',
  'GET /api/admin/reports/stats',
  'GET /api/admin/reports/<>/reach',
  'GET /api/library/export',
  'POST /api/library/import',
  'GET /api/library/imports/<>',
  'POST /api/babecock/upload-cock',
  'GET /api/sessions/<>/share',
  'DELETE /api/user/media/*',
  'GET /api/user/media/<>',
  'POST /api/user/media/known',
  'GET /api/credits/spending',
  'GET /api/community/published',
  'PUT /api/user/interests',
  'GET /api/auth/user/holdings',
  'POST /api/user/notices/read',
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
]

const built = endpoints.map(({ endpoint: { method, path } }) => withoutNames(method, path))

describe('endpoints', () => {
  test('every one is mounted, and nothing else is', () => {
    const mounted = routes.map(({ endpoint }) => endpoint)
    const missing = endpoints.filter(({ endpoint }) => !mounted.includes(endpoint))
    expect(missing.map(({ name }) => name)).toEqual([])
    expect(mounted).toHaveLength(endpoints.length)
    expect(new Set(mounted).size).toBe(mounted.length)
  })

  test('no two share a method and a path', () => {
    expect(new Set(built).size).toBe(built.length)
  })

  testShared('every built endpoint is on a contract page, or is a known addition', () => {
    const named = new Set([...endpointsOnPages(), ...plannedEndpoints()])
    expect(built.filter((each) => !named.has(each)).toSorted()).toEqual(onNoPage.toSorted())
    return built.length
  })

  testShared('every endpoint on a contract page is built, or is listed as missing', () => {
    const named = [...endpointsOnPages()]
    const missing = named.filter((each) => !built.includes(each))
    expect(missing.toSorted()).toEqual([])
    return named.length
  })
})

describe('settings', () => {
  test('the page about them is up to date (npm run docs)', () => {
    const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')
    expect(page).toBe(renderSettingsPage())
  })

  testShared('every row of the contract’s tables is one, or known not to be yet', () => {
    const named = settingsOnPages()
    const known = new Set(Object.values(settings).map(({ name }) => name))
    const missing = named.filter((name) => !known.has(name))
    expect(missing.toSorted()).toEqual([])
    return named.length
  })
})
