/**
 * Messages between nodes: what happens on one is told to the listeners of all. Delivery is at most
 * once and nothing is kept, so a listener treats a message as a hint to look, not as the record.
 */
import { randomUUID } from 'node:crypto'
import { outageNotice, quietLog } from './redis.ts'
import type { Redis, RedisLog } from './redis.ts'

export type Messages = {
  /** Never rejects: this node's listeners are told at once, the other nodes' if Redis can. */
  publish(channel: string, payload: string): Promise<void>
  /** Resolves to the function that ends this subscription. */
  subscribe(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

export function createLocalMessages(log?: RedisLog): Messages {
  const listeners = createListeners(log)
  return {
    async publish(channel, payload) {
      listeners.tell(channel, payload)
    },
    async subscribe(channel, listener) {
      const remove = listeners.add(channel, listener)
      return async () => remove()
    },
    async close() {
      listeners.clear()
    },
  }
}

export async function createRedisMessages(redis: Redis, log?: RedisLog): Promise<Messages> {
  const listeners = createListeners(log)
  const subscriber = await redis.duplicate()
  const notice = outageNotice(log ?? quietLog, {
    lost: 'Messages reach only the listeners of this node',
    back: 'Messages reach the other nodes again',
  })
  // Own messages come back from Redis too; this mark tells them apart, so that local listeners
  // hear every message exactly once and never depend on the network.
  const nodeMark = `${randomUUID()} `

  const subscriptions = keepSubscriptions(subscriber, {
    isWanted: listeners.has,
    deliver(channel, message) {
      if (!message.startsWith(nodeMark)) listeners.tell(channel, message.slice(nodeMark.length))
    },
  })
  // Whatever could not be agreed with Redis during an outage is made up for after it.
  subscriber.onAvailable(() => {
    for (const channel of new Set([...listeners.channels(), ...subscriptions.channels()])) {
      void settleQuietly(channel)
    }
  })

  async function settleQuietly(channel: string): Promise<void> {
    await subscriptions.settle(channel).catch((error: unknown) => notice.lost(error))
  }

  return {
    async publish(channel, payload) {
      listeners.tell(channel, payload)
      try {
        await redis.ask((client) => client.publish(redisChannel(channel), nodeMark + payload))
        notice.back()
      } catch (error) {
        notice.lost(error)
      }
    },
    async subscribe(channel, listener) {
      const remove = listeners.add(channel, listener)
      await settleQuietly(channel)
      return async () => {
        remove()
        await settleQuietly(channel)
      }
    },
    async close() {
      listeners.clear()
      await subscriber.close()
    },
  }
}

const channelPrefix = 'lanternist:message:'
const redisChannel = (channel: string) => channelPrefix + channel

function createListeners(log: RedisLog = quietLog) {
  const byChannel = new Map<string, Set<{ listener: (payload: string) => void }>>()
  return {
    has: (channel: string) => byChannel.has(channel),
    channels: () => byChannel.keys(),
    clear: () => byChannel.clear(),
    add(channel: string, listener: (payload: string) => void): () => void {
      // An entry of its own, so that the same function may listen twice and leave once.
      const entry = { listener }
      const entries = byChannel.get(channel) ?? new Set()
      byChannel.set(channel, entries.add(entry))
      return () => {
        entries.delete(entry)
        if (entries.size === 0 && byChannel.get(channel) === entries) byChannel.delete(channel)
      }
    },
    tell(channel: string, payload: string) {
      // A copy: whoever begins to listen because of this message is not told of it.
      const entries = Array.from(byChannel.get(channel) ?? [])
      for (const { listener } of entries) {
        try {
          listener(payload)
        } catch (error) {
          log.warn({ err: error, channel }, 'A listener failed on a message')
        }
      }
    },
  }
}

/** Brings what Redis sends us into line with what is listened to, one command at a time a channel. */
function keepSubscriptions(
  subscriber: Redis,
  wishes: {
    isWanted(channel: string): boolean
    deliver(channel: string, message: string): void
  },
) {
  // 'unsure' from before a command until its answer: after an outage it is simply asked again.
  const standing = new Map<string, 'unsure' | 'held'>()
  const settling = new Map<string, Promise<void>>()

  const onMessage = (message: string, channel: string) =>
    wishes.deliver(channel.slice(channelPrefix.length), message)
  const isSettled = (channel: string) =>
    wishes.isWanted(channel) ? standing.get(channel) === 'held' : !standing.has(channel)

  async function settleChannel(channel: string): Promise<void> {
    try {
      while (!isSettled(channel)) {
        const wanted = wishes.isWanted(channel)
        standing.set(channel, 'unsure')
        await subscriber.ask((client) =>
          wanted
            ? client.subscribe(redisChannel(channel), onMessage)
            : client.unsubscribe(redisChannel(channel), onMessage),
        )
        if (wanted) standing.set(channel, 'held')
        else standing.delete(channel)
      }
    } finally {
      settling.delete(channel)
    }
  }

  return {
    channels: () => standing.keys(),
    settle(channel: string): Promise<void> {
      if (isSettled(channel)) return Promise.resolve()
      // A run under way reads the wishes anew after each command, so it will see this one too.
      const running = settling.get(channel) ?? settleChannel(channel)
      settling.set(channel, running)
      return running
    },
  }
}
