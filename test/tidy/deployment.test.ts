/** Compares the files for deployment and monitoring with the settings, metrics and log events in code. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventsInCode, renderLogEvents } from '../../scripts/log-events-page.ts'
import { settings } from '../../src/server/config/settings.ts'
import { createMetrics } from '../../src/server/platform/metrics.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const known = new Set(Object.values(settings).map(({ name }) => name))

describe('metrics', async () => {
  const given = new Set(
    [...(await createMetrics().read()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? ''),
  )
  const ours = [...given].filter((name) => name.startsWith('lanternist_'))

  function unknownIn(text: string): string[] {
    const named = [...text.matchAll(/\b(lanternist|process|nodejs)_[a-z0-9_]+/g)].map(
      ([name]) => name,
    )
    return named.filter(
      (name) => !given.has(name) && !given.has(name.replace(/_(bucket|count|sum)$/, '')),
    )
  }

  test.each([
    'deploy/prometheus-alerts.yaml',
    'deploy/grafana-dashboard.json',
    'docs/operating/watching.md',
  ])('%s names only those that there are', (file) => {
    expect(read(file)).toMatch(/lanternist_/)
    expect(unknownIn(read(file))).toEqual([])
  })

  test('a name that no node exports is found', () => {
    expect(unknownIn('rate(lanternist_request_seconds_count[5m]) > lanternist_wishes')).toEqual([
      'lanternist_wishes',
    ])
  })

  test('the page has all of ours', () => {
    expect(
      ours.filter((name) => !read('docs/operating/watching.md').includes(`\`${name}\``)),
    ).toEqual([])
  })

  test('every alert says what to do about it', () => {
    const alerts = [...read('deploy/prometheus-alerts.yaml').matchAll(/alert: (\w+)/g)]
    expect(alerts.length).toBeGreaterThan(0)
    const page = read('docs/operating/watching.md')
    expect(alerts.map(([, name = '']) => name).filter((name) => !page.includes(name))).toEqual([])
  })
})

test('the page about log events is up to date (npm run docs), and leaves none out', () => {
  const page = read('docs/operating/log-events.md')
  expect(page).toBe(renderLogEvents())
  expect([...eventsInCode()].filter((event) => !page.includes(`\`${event}\``))).toEqual([])
})

describe('deployment', () => {
  test('images have tags that say a version', () => {
    const images = [
      ...`${read('compose.yaml')}${read('Dockerfile')}`.matchAll(/^\s*(?:image:|FROM) (\S+)/gm),
    ]
    expect(images.length).toBeGreaterThan(5)
    const loose = images
      .map(([, image = '']) => image)
      .filter((image) => !/:.*\d+[.-]\d+/.test(image))
    expect(loose).toEqual([])
  })

  test('nodes get only settings that exist', () => {
    const [node = ''] = read('compose.yaml').split('\nservices:')
    const named = [
      ...node.matchAll(/^ {4}([A-Z][A-Z0-9_]+):/gm),
      ...read('deploy/kubernetes.yaml').matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm),
      ...read('deploy/lanternist.service').matchAll(/^Environment=([A-Z_]+)=/gm),
      ...(/^ENV (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '').matchAll(/([A-Z_]+)=/g),
    ].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  test('nothing runs with rights that it does not need', () => {
    expect(read('Dockerfile')).toMatch(/^USER node$/m)
    expect(read('Dockerfile').split('FROM').at(-1)).not.toContain('demo/')
    expect(read('compose.yaml')).toContain('read_only: true')
    const manifests = read('deploy/kubernetes.yaml')
    const nodes = manifests.match(/command: \['node'/g)?.length
    for (const guard of ['runAsNonRoot: true', 'readOnlyRootFilesystem: true', 'livenessProbe:'])
      expect(manifests.split(guard)).toHaveLength((nodes ?? 0) + 1)
  })

  test('haproxy understands its configuration', ({ skip }) => {
    const program = '/usr/sbin/haproxy'
    skip(!existsSync(program), 'haproxy is not installed')
    const env = { SITE_BIND: '127.0.0.1:8080', NODE_1: '127.0.0.1:5001', NODE_2: '127.0.0.1:5002' }
    const words = ['-c', '-f', join(root, 'deploy/haproxy.cfg')]
    expect(execFileSync(program, words, { env, encoding: 'utf8', stdio: 'pipe' })).toContain(
      'valid',
    )
  })

  test('systemd understands the unit', ({ skip }) => {
    const program = '/usr/bin/systemd-analyze'
    skip(!existsSync(program), 'systemd-analyze is not installed')
    const folder = mkdtempSync(join(tmpdir(), 'lanternist-unit-'))
    try {
      // systemd requires that the program exists, and it is not installed on this machine.
      const unit = read('deploy/lanternist.service').replace(
        /^ExecStart=\S+/m,
        'ExecStart=/bin/true',
      )
      const file = join(folder, 'lanternist.service')
      writeFileSync(file, unit)
      const options = { encoding: 'utf8', stdio: 'pipe' } as const
      expect(execFileSync(program, ['verify', '--man=no', file], options)).toBe('')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
