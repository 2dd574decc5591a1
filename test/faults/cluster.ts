/**
 * The contract over HTTP alone, on a cluster with its proxy and PgBouncer, while a node is killed every
 * few seconds. Answers are the same as on one quiet machine, acknowledged writes are not lost, and only
 * requests that were in flight on the killed node fail.
 */
import assert from 'node:assert/strict'
import { keepWriting } from '../support/cluster-journal.ts'
import { outOfReach } from '../support/cluster-reach.ts'
import { createWire } from '../support/cluster-wire.ts'
import type { Cluster } from '../support/cluster.ts'
import { missingPackages, startCluster } from '../support/cluster.ts'
import { promisesSeen } from '../support/contract-check.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import { freePort } from '../support/free-port.ts'
import { keepKilling } from '../support/node-killer.ts'
import { phasesOf } from '../support/scenes/phases.ts'
import { startFarSides } from '../support/scenes/far-sides.ts'
import type { Played } from '../support/scenes/play.ts'
import { playScenes } from '../support/scenes/play.ts'
import { createStage } from '../support/scenes/stage.ts'

const killEveryMs = 4000
/**
 * The run ends at this many unexplained losses: the rest would only take time. Losses that are reported a
 * moment before their kill stay below it.
 */
const maxUnexplained = 30

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
  const sides = await startFarSides(site)
  tools.afterwards(() => sides.close())
  const [first, ...later] = phasesOf(sides)
  const cluster = await startCluster({
    port,
    settings: first.settings,
    pooler: true,
    balance: 'random',
    stopping: new AbortController(),
    print: () => {},
  })
  tools.afterwards(cluster.stop)
  const wire = createWire()
  const stage = createStage(site, sides.far, wire.send)
  const journal = await keepWriting(stage)
  const killer = keepKilling(cluster, wire, killEveryMs)
  const played: Played = { scenes: 0, repeats: 0, broken: [] }
  const isOver = () => wire.unexplained().length > maxUnexplained
  const play = async (rounds: (typeof first)['rounds']) => {
    for (const { scenes, atOnce } of rounds)
      await playScenes(stage, scenes, { atOnce, played, say: tools.say, isOver })
  }
  await play(first.rounds)
  const lost = await journal.missing()
  for (const { settings, rounds } of later) {
    if (isOver()) break
    await killer.restartWith(settings)
    await play(rounds)
  }
  await killer.stop()
  tellErrors(cluster, tools.say)
  const promises = tellPromises(tools.say)
  for (const { what } of wire.unexplained()) tools.say(`lost without a kill: ${what}`)
  for (const line of wire.slow) tools.say(`slow: ${line}`)
  const { requests, retries } = wire.counts
  return verdict(
    `${requests} requests, ${wire.kills} kills, ${wire.losses.length} lost, ${wire.unexplained().length} of them not under way, ` +
      `${retries} sent again; ${played.scenes} scenes, ${played.repeats} started again; ` +
      `${promises.seen} of ${promises.all} promises seen, ${promises.outOfReach} out of reach; ` +
      `${journal.acknowledged()} writes acknowledged, ${lost} missing`,
    {
      [`broken: ${played.broken.join('; ')}`]: played.broken.length === 0,
      'a request was lost that was not under way at a kill': wire.unexplained().length === 0,
      'an acknowledged write is missing': lost === 0,
      [`a write was refused: ${journal.refusals[0] ?? ''}`]: journal.refusals.length === 0,
      [`not seen: ${promises.unseen.join(', ')}`]: isOver() || promises.unseen.length === 0,
      'hardly anybody was killed': wire.kills > 2,
    },
  )
}

/** Prints the errors in the logs of all nodes, each event once. */
function tellErrors({ nodes }: Cluster, say: (line: string) => void): void {
  const lines = nodes.flatMap(({ log }) => log.split('\n').filter(isOfError))
  const byEvent = Object.groupBy(lines, (line) => /"event":"(\w+)"/.exec(line)?.[1] ?? 'none')
  for (const [event, told = []] of Object.entries(byEvent))
    say(`${told.length} × ${event}: ${told[0]?.slice(0, 500)}`)
}

function isOfError(line: string): boolean {
  return /"level":[56]0/.test(line)
}

/** Counts the promises that were seen. Prints the others, grouped by what they need. */
function tellPromises(say: (line: string) => void) {
  const { seen, promised } = promisesSeen()
  const missed = promised.filter((line) => !seen.has(line))
  const byNeed = Object.groupBy(missed, (line) => outOfReach(line) ?? '')
  const { '': unseen = [], ...excused } = byNeed
  for (const [need, lines = []] of Object.entries(excused))
    say(`${lines.length} need ${need}: ${lines.join(', ')}`)
  return {
    all: promised.length,
    seen: promised.length - missed.length,
    outOfReach: missed.length - unseen.length,
    unseen,
  }
}
