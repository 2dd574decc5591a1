/** Kills the nodes of a cluster in turn and records when. It waits until the last one is ready again. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Wire } from './cluster-wire.ts'
import type { Cluster, ClusterNode } from './cluster.ts'

const startTimeoutMs = 120_000
/** Longer than the interval of the proxy's health checks. */
const noticedAfterMs = 1500

export function keepKilling(cluster: Cluster, wire: Wire, everyMs: number) {
  const state = { isPaused: false, isOver: false, isResting: false }
  const going = (async () => {
    for (let turn = 0; !state.isOver; turn += 1) {
      state.isResting = true
      await sleep(everyMs)
      if (state.isPaused || state.isOver) continue
      state.isResting = false
      const node = cluster.nodes[turn % cluster.nodes.length]
      if (node) await killNode(cluster, node, wire)
    }
  })()
  // Awaited at the end, which then reports a node that did not return.
  going.catch(() => void (state.isResting = true))
  return {
    /** Restarts each node with these settings. */
    async restartWith(settings: Record<string, string>) {
      state.isPaused = true
      while (!state.isResting) await sleep(50)
      Object.assign(cluster.settings, settings)
      for (const node of cluster.nodes) await killNode(cluster, node, wire)
      state.isPaused = false
    },
    async stop() {
      state.isOver = true
      await going
    },
  }
}

async function killNode(cluster: Cluster, node: ClusterNode, wire: Wire): Promise<void> {
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
  await sleep(noticedAfterMs)
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
