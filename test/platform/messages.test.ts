import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createLocalMessages, createRedisMessages } from '../../src/server/platform/messages.ts'
import type { Messages } from '../../src/server/platform/messages.ts'
import { connectRedis } from '../../src/server/platform/redis.ts'
import type { Redis, RedisLog } from '../../src/server/platform/redis.ts'
import { eventually } from '../support/eventually.ts'
import { recordingLog } from '../support/recording-log.ts'
import { hasRedisServer, sayIfNoRedisServer, startRedisServer } from '../support/redis-server.ts'
import type { RedisServer } from '../support/redis-server.ts'

function closedAfterwards<T extends { close(): Promise<void> }>(opened: T): T {
  onTestFinished(() => opened.close())
  return opened
}

function stoppedAfterwards(server: RedisServer): RedisServer {
  onTestFinished(() => server.stop())
  return server
}

const join = async (redis: Redis, log?: RedisLog) =>
  closedAfterwards(await createRedisMessages(redis, log))

/** What listeners of the same node are promised, with Redis or without. */
function promises(create: (log: RedisLog) => Promise<Messages>) {
  const open = async (log: RedisLog) => closedAfterwards(await create(log))

  test('every listener of the channel hears a message once, in order, others none', async () => {
    const messages = await open(recordingLog())
    const heard: string[] = []
    await messages.subscribe('news', (payload) => heard.push(`first ${payload}`))
    await messages.subscribe('news', (payload) => heard.push(`second ${payload}`))
    await messages.subscribe('weather', (payload) => heard.push(`weather ${payload}`))
    await messages.publish('news', 'a b')
    await messages.publish('news', '')
    await messages.publish('nobody', 'x')
    expect(heard).toEqual(['first a b', 'second a b', 'first ', 'second '])
  })

  test('a function that listens twice leaves one time for each', async () => {
    const messages = await open(recordingLog())
    const heard: string[] = []
    const listener = (payload: string) => void heard.push(payload)
    const leaveFirst = await messages.subscribe('news', listener)
    const leaveSecond = await messages.subscribe('news', listener)
    await messages.publish('news', 'two')
    await leaveFirst()
    await leaveFirst()
    await messages.publish('news', 'one')
    await leaveSecond()
    await messages.publish('news', 'none')
    expect(heard).toEqual(['two', 'two', 'one'])
  })

  test('a listener that throws harms neither the publisher nor the next listener', async () => {
    const log = recordingLog()
    const messages = await open(log)
    const heard: string[] = []
    await messages.subscribe('news', () => {
      throw new Error('listener')
    })
    await messages.subscribe('news', (payload) => heard.push(payload))
    await messages.publish('news', 'still')
    expect(heard).toEqual(['still'])
    expect(log.lines).toEqual(['A listener failed on a message'])
  })

  test('nothing is heard after the close', async () => {
    const messages = await open(recordingLog())
    const heard: string[] = []
    const leave = await messages.subscribe('news', (payload) => heard.push(payload))
    await messages.close()
    await messages.publish('news', 'late')
    await leave()
    expect(heard).toEqual([])
  })
}

describe('messages in one process', () => {
  promises(async (log) => createLocalMessages(log))
})

sayIfNoRedisServer('messages between nodes')

describe.skipIf(!hasRedisServer)('messages between nodes', () => {
  let server: RedisServer
  let redis: Redis
  beforeAll(async () => {
    server = await startRedisServer()
    redis = await connectRedis(server.url)
  })
  afterAll(async () => {
    await redis.close()
    await server.stop()
  })

  promises((log) => createRedisMessages(redis, log))

  const subscribeCalls = async (command: 'subscribe' | 'unsubscribe') => {
    const stats = await redis.ask((client) => client.info('commandstats'))
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0)
  }
  const listenersInRedis = async (channel: string) => {
    const name = `lanternist:message:${channel}`
    return (await redis.ask((client) => client.pubSubNumSub(name)))[name]
  }

  test('a message reaches the listeners of every node exactly once', async () => {
    const nodes = [await join(redis), await join(redis), await join(redis)]
    const heard: string[] = []
    for (const [index, node] of nodes.entries()) {
      await node.subscribe('news', (payload) => heard.push(`${index} ${payload}`))
    }
    await nodes[0]!.publish('news', 'söme wörds')
    await nodes[1]!.publish('news', 'end')
    await eventually(() => expect(heard).toHaveLength(6))
    // Another round trip through every connection: whatever was still under way has arrived.
    await nodes[2]!.publish('news', 'last')
    await eventually(() => expect(heard).toHaveLength(9))
    expect(heard.filter((line) => line.endsWith('söme wörds')).sort()).toEqual([
      '0 söme wörds',
      '1 söme wörds',
      '2 söme wörds',
    ])
  })

  test('Redis is asked once a channel, and told only when the last listener has left', async () => {
    const messages = await join(redis)
    await redis.ask((client) => client.configResetStat())
    const leave = await Promise.all(
      Array.from({ length: 10 }, () => messages.subscribe('crowded', () => undefined)),
    )
    expect(await subscribeCalls('subscribe')).toBe(1)
    expect(await listenersInRedis('crowded')).toBe(1)
    for (const leaveOne of leave.slice(1)) await leaveOne()
    expect(await subscribeCalls('unsubscribe')).toBe(0)
    await leave[0]!()
    expect(await subscribeCalls('unsubscribe')).toBe(1)
    expect(await listenersInRedis('crowded')).toBe(0)
  })

  test('joining and leaving at the same moment ends as the last wish was', async () => {
    const [speaker, node] = [await join(redis), await join(redis)]
    const heard: string[] = []
    for (let round = 0; round < 20; round += 1) {
      const leave = await node.subscribe('hectic', () => undefined)
      const [, leaveSecond] = await Promise.all([
        leave(),
        node.subscribe('hectic', (payload) => heard.push(payload)),
      ])
      await speaker.publish('hectic', String(round))
      await eventually(() => expect(heard).toHaveLength(round + 1))
      await leaveSecond()
      expect(await listenersInRedis('hectic')).toBe(0)
    }
  })

  test('an outage loses its messages to the other nodes, and nothing after it', async () => {
    const first = stoppedAfterwards(await startRedisServer())
    const log = recordingLog()
    const link = closedAfterwards(await connectRedis(first.url))
    const [node, other] = [await join(link, log), await join(link)]
    const heard: string[] = []
    await other.subscribe('early', (payload) => heard.push(`early ${payload}`))
    const leaveGone = await other.subscribe('gone', (payload) => heard.push(`gone ${payload}`))
    await first.stop()

    await node.subscribe('own', (payload) => heard.push(`own ${payload}`))
    await other.subscribe('late', (payload) => heard.push(`late ${payload}`))
    await leaveGone()
    await node.publish('own', 'during')
    await node.publish('early', 'lost')
    expect(heard).toEqual(['own during'])
    expect(log.count('Messages reach only the listeners of this node')).toBe(1)

    stoppedAfterwards(await startRedisServer({ port: first.port }))
    await eventually(async () => {
      await node.publish('early', 'after')
      await node.publish('late', 'after')
      expect(new Set(heard)).toEqual(new Set(['own during', 'early after', 'late after']))
    })
    expect(log.count('Messages reach the other nodes again')).toBe(1)
    await eventually(async () => {
      const names = await link.ask((client) => client.pubSubChannels())
      expect(names.sort()).toEqual(['early', 'late', 'own'].map((n) => `lanternist:message:${n}`))
    })
  })

  test('whoever begins to listen while Redis hangs is heard once it answers', async () => {
    const slow = stoppedAfterwards(await startRedisServer())
    const link = closedAfterwards(await connectRedis(slow.url))
    const [node, other] = [await join(link), await join(link)]
    const heard: string[] = []
    slow.freeze()
    await other.subscribe('first', (payload) => heard.push(payload))
    // By now Redis is known to be stuck, and this one is not even sent.
    await other.subscribe('second', (payload) => heard.push(payload))
    await node.publish('first', 'unheard')
    slow.thaw()
    await eventually(async () => {
      await node.publish('first', '1')
      await node.publish('second', '2')
      expect(heard).toEqual(expect.arrayContaining(['1', '2']))
    })
  })
})
