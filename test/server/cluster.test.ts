/**
 * `npm run cluster`: one address and two nodes, of which either may end at any time. All processes end
 * together.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
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

/** Process groups that have not ended. */
const running = new Set<number>()
afterAll(() => {
  for (const group of running) process.kill(group, 'SIGKILL')
})

test.runIf(isInstalled)(
  'a killed node causes no failing request, and the whole cluster stops together',
  { timeout: 900_000 },
  async () => {
    const words = ['scripts/cluster.ts', '--port', '0', '--feed', 'off']
    const { group, url, nodes, ended } = await startProgram(process.execPath, words)
    const [first, second] = nodes()

    const ana = await registerCaller(url, 'ana')
    const uploads = keepUploading(ana)
    await expect.poll(() => uploads.acknowledged.length, patient).toBeGreaterThan(3)
    const ask = () => ana('/api/auth/user')
    const before = await Promise.all(Array.from({ length: 40 }, ask))
    expect(before.map(({ status }) => status)).toEqual(before.map(() => 200))
    // Each node has answered some of the requests.
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

    // Ctrl-C: a terminal sends the signal to every process of the group.
    process.kill(group, 'SIGINT')
    expect(await ended).toEqual({
      code: 0,
      left: [],
      stderr: expect.not.stringContaining('Error'),
    })
    for (const place of [url, first?.[2], second?.[2]])
      expect((await timed(`${place}/healthz`)).status).toBe(0)
  },
)

test.runIf(isInstalled)(
  'it ends with the npm that has started it, and nothing is kept',
  { timeout: 900_000 },
  async () => {
    const words = ['run', 'cluster', '--', '--port', '0', '--feed', 'off']
    const { program, url, ended } = await startProgram('npm', words)
    program.kill('SIGTERM')
    expect(await ended).toMatchObject({ left: [] })
    expect((await timed(`${url}/healthz`)).status).toBe(0)
  },
)

/**
 * Starts a program in its own process group, with its own temporary folder. It has ended when all
 * processes of the group have.
 */
async function startProgram(name: string, words: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-cluster-test-'))
  // If we are root, PostgreSQL runs as another user.
  await chmod(folder, 0o755)
  const program = spawn(name, words, {
    cwd: repository,
    env: { ...process.env, ...unlimited, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const group = -Number(program.pid)
  running.add(group)
  const closed = once(program, 'close') as Promise<[number | null]>
  endWithUs(group, closed)
  const said = { stdout: '', stderr: '' }
  program.stdout.on('data', (chunk: Buffer) => void (said.stdout += chunk.toString()))
  program.stderr.on('data', (chunk: Buffer) => void (said.stderr += chunk.toString()))
  const ended = closed.then(async ([code]) => {
    running.delete(group)
    const left = (await readdir(folder)).filter((file) => file.startsWith('lanternist-'))
    await rm(folder, { recursive: true })
    return { code, left, stderr: said.stderr }
  })
  await expect.poll(() => said.stdout, patient).toContain('Lanternist is up at ')
  const url = /up at (\S+);/.exec(said.stdout)?.[1] ?? ''
  const nodes = () => [...said.stdout.matchAll(/process (\d+) at (\S+)/g)]
  return { program, group, url, nodes, ended }
}
