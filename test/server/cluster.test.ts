/** `npm run cluster`: one address, two nodes, of which one may go at any time; all of it ends as one. */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keepUploading, expectUploads } from '../support/kept-uploads.ts'
import { registerCaller, timed } from '../support/outage-stage.ts'
import { hasRedisServer } from '../support/redis-server.ts'
import { endWithUs, unlimited } from '../support/service-process.ts'
import { systemPostgresFolder } from '../support/system-postgres.ts'

const repository = resolve(import.meta.dirname, '../..')
const isInstalled =
  existsSync('/usr/sbin/haproxy') && hasRedisServer && systemPostgresFolder() !== null
if (!isInstalled) console.info("skipped: Debian's haproxy, redis-server or postgresql is missing")
const patient = { timeout: 300_000 }

let cluster: ChildProcess | undefined
afterAll(() => void cluster?.kill('SIGKILL'))

test.runIf(isInstalled)(
  'a killed node is missed by nobody, and all of it ends as one',
  { timeout: 900_000 },
  async () => {
    const words = ['scripts/cluster.ts', '--port', '0', '--feed', 'off']
    cluster = spawn(process.execPath, words, {
      cwd: repository,
      env: { ...process.env, ...unlimited },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(cluster, 'exit') as Promise<[number | null]>
    if (cluster.pid !== undefined) endWithUs(cluster.pid, ended)
    let said = ''
    cluster.stdout?.on('data', (chunk: Buffer) => void (said += chunk.toString()))
    await expect.poll(() => said, patient).toContain('Lanternist is up at ')
    const url = /up at (\S+);/.exec(said)?.[1] ?? ''
    const nodes = () => [...said.matchAll(/process (\d+) at (\S+)/g)]
    const [first, second] = nodes()

    const ana = await registerCaller(url, 'ana')
    const uploads = keepUploading(ana)
    await expect.poll(() => uploads.acknowledged.length, patient).toBeGreaterThan(3)
    const ask = () => ana('/api/auth/user')
    const before = await Promise.all(Array.from({ length: 40 }, ask))
    expect(before.map(({ status }) => status)).toEqual(before.map(() => 200))
    // Both have answered some of it.
    for (const node of [first, second]) {
      const { body } = await timed(`${node?.[2]}/metrics`)
      expect(body).toMatch(/lanternist_request_seconds_count\{endpoint="accounts\./)
    }

    process.kill(Number(first?.[1]), 'SIGKILL')
    for (let number = 0; number < 60; number += 1)
      expect(await ask()).toMatchObject({ status: 200 })
    await expect.poll(() => nodes().length, patient).toBe(3)
    await expect.poll(async () => (await timed(`${first?.[2]}/readyz`)).status, patient).toBe(200)
    await uploads.stop()
    await expectUploads(ana, url, uploads.acknowledged)

    cluster.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
    for (const place of [url, first?.[2], second?.[2]])
      expect((await timed(`${place}/healthz`)).status).toBe(0)
  },
)
