/**
 * The contract through HTTP alone, on a cluster with its proxy and PgBouncer, while one of its nodes is
 * killed every few seconds: nobody is told anything else than on one quiet machine, nothing that was
 * acknowledged is lost, and no request fails but those that were under way on the killed node.
 */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { outOfReach } from '../support/cluster-reach.ts'
import type { Wire } from '../support/cluster-wire.ts'
import { createWire, LostInFlight } from '../support/cluster-wire.ts'
import type { Cluster } from '../support/cluster.ts'
import { missingPackages, startCluster } from '../support/cluster.ts'
import { promisesSeen } from '../support/contract-check.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import { freePort } from '../support/free-port.ts'
import { startMailServer } from '../support/mail-server.ts'
import { startNowpayments } from '../support/nowpayments-server.ts'
import { startOidcServer } from '../support/oidc-server.ts'
import { startLemmy } from '../support/outage-stage.ts'
import { accountScenes } from '../support/scenes/accounts.ts'
import { doorScenes, limitScenes } from '../support/scenes/doors.ts'
import { fullQuota, siteScenes, wholeSite } from '../support/scenes/site.ts'
import type { Scene, Stage } from '../support/scenes/stage.ts'
import { createStage } from '../support/scenes/stage.ts'
import { idempotency, ownThings, prices, rooms } from '../support/scenes/things.ts'
import { unlimited } from '../support/service-process.ts'
import { startTelegram } from '../support/telegram-server.ts'
import { upload } from '../support/vault-world.ts'
import type { Person } from '../support/world.ts'

const killEveryMs = 4000
const startTimeoutMs = 120_000
const lanes = 3
const mostTries = 8

export const row: FaultRow = {
  budgetSeconds: 900,
  runs: 'by name',
  machine: 'alone',
  shortTests: ['test/server/cluster.test.ts'],
  mutant: {
    file: 'deploy/haproxy.cfg',
    line: '    retry-on conn-failure empty-response',
    becomes: '    retry-on none',
  },
  checks: [
    {
      load: `the contract through HTTP, two nodes, one killed every ${killEveryMs / 1000} s`,
      goal: 'every promise within reach seen, no request lost but those under way on the killed node, nothing acknowledged lost',
      run: playAll,
    },
  ],
}

async function playAll(tools: FaultTools): Promise<Verdict> {
  const missing = missingPackages({ pooler: true })
  assert.deepEqual(missing, [], `needs Debian's ${missing.join(' ')}`)
  const port = await freePort()
  const site = `http://localhost:${port}`
  const { far, settings } = await startFarSides(site, tools)
  const stopping = new AbortController()
  const cluster = await startCluster({
    port,
    settings: { ...unlimited, ...settings },
    pooler: true,
    balance: 'random',
    stopping,
    print: () => {},
  })
  tools.afterwards(cluster.stop)
  const wire = createWire()
  const stage = createStage(site, far, wire.send)
  const journal = await keepWriting(stage)
  const killing = keepKilling(cluster, wire, stopping.signal)
  const broken: string[] = []
  const counts = { scenes: 0, repeats: 0 }
  const play = (scenes: Record<string, Scene>, atOnce: number) =>
    playScenes(stage, scenes, { atOnce, broken, counts, say: tools.say })
  await play(
    { ...accountScenes, ...siteScenes, ownThings, idempotency, rooms, ...doorScenes },
    lanes,
  )
  await play({ prices, wholeSite, fullQuota }, 1)
  await journal.stop()
  const lost = await journal.missing()
  await killing.pause()
  await restartWith(cluster, limitsOfOne(), wire)
  killing.resume()
  await play(limitScenes, lanes)
  await killing.stop()
  const { seen, promised } = promisesSeen()
  const unseen = promised.filter((line) => !seen.has(line))
  const unexcused = unseen.filter((line) => outOfReach(line) === null)
  const needless = promised.filter((line) => seen.has(line) && outOfReach(line) !== null)
  for (const loss of wire.unexplained()) tools.say(`lost without a kill: ${loss.what}`)
  for (const line of broken) tools.say(`broken: ${line}`)
  tools.say(`not seen: ${unexcused.join(', ')}`)
  tools.say(`seen, though said to be out of reach: ${needless.join(', ')}`)
  const { requests, retries } = wire.counts
  return verdict(
    `${requests} requests, ${wire.kills} kills, ${wire.losses.length} lost under way, ${retries} sent again; ` +
      `${counts.scenes} scenes, ${counts.repeats} begun again; ${promised.length - unseen.length} of ${promised.length} ` +
      `promises seen, ${unseen.length - unexcused.length} out of reach; ${journal.acknowledged()} writes acknowledged, ${lost} missing`,
    {
      'a scene did not come to its end': broken.length === 0,
      'a request was lost that was not under way at a kill': wire.unexplained().length === 0,
      'an acknowledged write is missing': lost === 0,
      [`${unexcused.length} promises were not seen`]: unexcused.length === 0,
      'nobody was killed': wire.kills > 2,
    },
  )
}

async function startFarSides(site: string, tools: FaultTools) {
  const [mail, gateway, telegram] = [
    await startMailServer(),
    await startNowpayments(),
    await startTelegram(),
  ]
  const oidc = await startOidcServer({ sites: [site] })
  const lemmy = await startLemmy()
  const { port } = lemmy.address() as AddressInfo
  tools.afterwards(async () => {
    lemmy.closeAllConnections()
    lemmy.close()
    await Promise.all([mail.close(), gateway.close(), telegram.close(), oidc.stop()])
  })
  const settings = {
    ...mail.settings,
    ...gateway.settings,
    ...telegram.settings,
    ...oidc.settings,
    FEED: 'lemmy',
    LEMMY_URL: `http://127.0.0.1:${port}`,
    FETCH_ALLOW: `127.0.0.1:${port}`,
    METRICS_TOKEN: 'figures',
    LINK_CHECKS: 'off',
  }
  return { far: { mail, gateway, telegram, oidc }, settings }
}

/** In some lanes; a scene that has lost a request begins anew, with other people. */
async function playScenes(
  stage: Stage,
  scenes: Record<string, Scene>,
  options: {
    atOnce: number
    broken: string[]
    counts: { scenes: number; repeats: number }
    say: (line: string) => void
  },
): Promise<void> {
  const queue = Object.entries(scenes)
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [name, scene] = next
      const beganMs = performance.now()
      const tries = await playOne(stage, name, scene, options.broken)
      options.counts.scenes += 1
      options.counts.repeats += tries - 1
      const seconds = ((performance.now() - beganMs) / 1000).toFixed(1)
      options.say(`${name}: ${seconds} s${tries > 1 ? `, ${tries} tries` : ''}`)
    }
  }
  await Promise.all(Array.from({ length: options.atOnce }, lane))
}

async function playOne(
  stage: Stage,
  name: string,
  scene: Scene,
  broken: string[],
): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      await scene(stage)
      return tries
    } catch (error) {
      if (error instanceof LostInFlight && tries < mostTries) continue
      broken.push(
        `${name}: ${error instanceof Error ? error.message.slice(0, 400) : String(error)}`,
      )
      return tries
    }
  }
}

/** One after the other, each once the other is well again. */
function keepKilling(cluster: Cluster, wire: Wire, ended: AbortSignal) {
  const state = { isPaused: false, isOver: false, isResting: false }
  const going = (async () => {
    for (let turn = 0; !state.isOver && !ended.aborted; turn += 1) {
      state.isResting = true
      await sleep(killEveryMs)
      if (state.isPaused || state.isOver) continue
      state.isResting = false
      const node = cluster.nodes[turn % cluster.nodes.length]
      if (node) await killNode(cluster, node, wire)
    }
  })()
  return {
    async pause() {
      state.isPaused = true
      while (!state.isResting) await sleep(50)
    },
    resume: () => void (state.isPaused = false),
    async stop() {
      state.isOver = true
      await going
    },
  }
}

/** And waits until it is back, and the proxy has had the time to see it. */
async function killNode(
  cluster: Cluster,
  node: Cluster['nodes'][number],
  wire: Wire,
): Promise<void> {
  const { pid, starts, place } = node
  const fromMs = performance.now()
  process.kill(pid, 'SIGKILL')
  while (isThere(pid)) await sleep(2)
  wire.noteKill(fromMs, performance.now())
  const deadlineMs = performance.now() + startTimeoutMs
  while (node.starts === starts || !(await cluster.isReady(place))) {
    assert.ok(performance.now() < deadlineMs, `${place} did not come back`)
    await sleep(50)
  }
  await sleep(1500)
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function restartWith(
  cluster: Cluster,
  settings: Record<string, string>,
  wire: Wire,
): Promise<void> {
  Object.assign(cluster.settings, settings)
  for (const node of cluster.nodes) await killNode(cluster, node, wire)
}

function limitsOfOne(): Record<string, string> {
  return Object.fromEntries(Object.keys(unlimited).map((name) => [name, '1/900']))
}

/** Someone who uploads and names things all the time, and knows later what must be there. */
async function keepWriting(stage: Stage) {
  const uma = await stage.adult('uma')
  const files = new Set<number>()
  const sessions = new Set<number>()
  const state = { isOver: false }
  const going = (async () => {
    for (let number = 1; !state.isOver; number += 1) {
      await attempt(async () => void files.add((await upload(uma, `${number}.png`)).mediaId))
      const mediaId = [...files].at(-1)
      if (mediaId === undefined) continue
      const body = { title: `Number ${number}`, slides: [{ mediaId }] }
      await attempt(async () => {
        sessions.add((await uma.sessions.createManual({ body })).session.id)
      })
      await sleep(100)
    }
  })()
  return {
    acknowledged: () => files.size + sessions.size,
    async stop() {
      state.isOver = true
      await going
    },
    /** How many of them are not there. */
    missing: () => countMissing(uma, files, sessions),
  }
}

async function attempt(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!(error instanceof LostInFlight)) throw error
  }
}

async function countMissing(
  person: Person,
  files: ReadonlySet<number>,
  sessions: ReadonlySet<number>,
): Promise<number> {
  const found = { files: new Set<number>(), sessions: new Set<number>() }
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: '100', ...(cursor && { cursor }) }
    const page = await person.vault.list({ query })
    for (const { id } of page.files) found.files.add(Number(id))
    cursor = page.nextCursor
  }
  for (const id of sessions) {
    const { session } = await person.sessions.read({ params: { id: String(id) } })
    found.sessions.add(session.id)
  }
  return (
    [...files].filter((id) => !found.files.has(id)).length +
    [...sessions].filter((id) => !found.sessions.has(id)).length
  )
}
