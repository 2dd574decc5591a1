/**
 * A set of nodes that are killed all the time. Each is restarted, and none may end by itself once it was up.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from './fault.ts'
import type { ServiceProcess } from './service-process.ts'
import { launchService } from './service-process.ts'

export type Fleet = {
  /** Returns the addresses of the nodes that are up. */
  urls(): string[]
  /** Kills a random node that is up with SIGKILL. */
  killOne(random: Random): Promise<void>
  /** Resolves to true when every node is up and ready, to false after the timeout. */
  allReady(timeoutMs: number): Promise<boolean>
  /** Sends SIGTERM to all nodes. */
  stop(): Promise<void>
  readonly figures: FleetFigures
  /** The log of the last node that failed to start. */
  readonly lastFailure: string
  /** Unexpected events. */
  readonly complaints: readonly string[]
}

type FleetFigures = { kills: number; failedStarts: number }

type Node = { service: ServiceProcess | null; isUp: boolean; isDoomed: boolean }

export function startFleet(size: number, settings: Record<string, string>): Fleet {
  const figures: FleetFigures = { kills: 0, failedStarts: 0 }
  const complaints: string[] = []
  const nodes = Array.from({ length: size }, (): Node => newNode())
  let lastFailure = ''
  const stopping = new AbortController()
  const { signal: stopped } = stopping

  async function keepUp(node: Node): Promise<void> {
    while (!stopped.aborted) {
      const service = await launchService(settings, { program: 'test/support/ledger-service.ts' })
      Object.assign(node, newNode(), { service })
      node.isUp = await service.ready().then(
        () => true,
        () => false,
      )
      // A start that loses its database must fail; then the next start is tried.
      if (!node.isUp && !stopped.aborted) {
        figures.failedStarts += 1
        lastFailure = lastWords(service)
      }
      if (!node.isUp || stopped.aborted) await service.stop()
      const { code, signal } = await service.ended
      const isExpected = node.isDoomed || !node.isUp || (stopped.aborted && code === 0)
      if (!isExpected)
        complaints.push(`a node ended by itself (${code ?? signal}):\n${lastWords(service)}`)
      node.isUp = false
      await sleep(100)
    }
  }

  const keepers = nodes.map(keepUp)
  const isReady = async ({ isUp, service }: Node) =>
    isUp && service !== null && (await answersReady(service.url))

  return {
    urls: () => nodes.flatMap(({ isUp, service }) => (isUp && service ? [service.url] : [])),
    async killOne(random) {
      const up = nodes.filter(({ isUp }) => isUp)
      const victim = up[random.between(0, up.length - 1)]
      if (!victim?.service?.isRunning) return
      Object.assign(victim, { isUp: false, isDoomed: true })
      await victim.service.kill()
      figures.kills += 1
    },
    async allReady(timeoutMs) {
      const deadlineMs = performance.now() + timeoutMs
      while (performance.now() < deadlineMs) {
        const states = await Promise.all(nodes.map(isReady))
        if (states.every(Boolean)) return true
        await sleep(200)
      }
      return false
    },
    async stop() {
      stopping.abort()
      await Promise.all(nodes.map(async ({ service }) => service?.isRunning && service.stop()))
      await Promise.all(keepers)
    },
    figures,
    get lastFailure() {
      return lastFailure
    },
    complaints,
  }
}

const newNode = (): Node => ({ service: null, isUp: false, isDoomed: false })

async function answersReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(
    () => null,
  )
  await answer?.arrayBuffer().catch(() => null)
  return answer?.ok ?? false
}

function lastWords({ stdout, stderr }: ServiceProcess): string {
  return `${stdout.slice(-1000)}${stderr.slice(-1500)}`
}
