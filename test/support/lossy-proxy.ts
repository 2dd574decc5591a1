/**
 * A proxy between the service and PostgreSQL that sometimes loses a reply: it forwards a message that
 * commits, and cuts the connection before the service receives the result.
 */
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import type { Random } from './fault.ts'

export type LossyProxy = {
  readonly port: number
  /** The number of lost replies. */
  readonly cuts: number
  /** Sets the probability that a commit loses its reply, from 0 to 1. */
  setLoss(loss: number): void
  close(): Promise<void>
}

export async function startLossyProxy(serverPort: number, random: Random): Promise<LossyProxy> {
  const sockets = new Set<Socket>()
  let cuts = 0
  let loss = 0
  const isLost = () => {
    if (random.fraction() >= loss) return false
    cuts += 1
    return true
  }
  const listener = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1')
    for (const socket of [client, server]) {
      socket.setNoDelay()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    relay(client, server, { isLost, random })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    port: (listener.address() as AddressInfo).port,
    get cuts() {
      return cuts
    },
    setLoss: (wanted) => void (loss = wanted),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

function relay(
  client: Socket,
  server: Socket,
  fate: { isLost: () => boolean; random: Random },
): void {
  const commitsIn = createCommitFinder()
  let isCut = false
  const end = () => {
    client.destroy()
    server.destroy()
  }
  client.on('data', (chunk) => {
    server.write(chunk)
    if (!commitsIn(chunk) || !fate.isLost()) return
    isCut = true
    // In half of the cases the service notices while PostgreSQL is still working. In the other half the
    // connection lasts until the reply has arrived.
    if (fate.random.fraction() < 0.5) client.destroy()
  })
  server.on('data', (chunk) => (isCut ? end() : void client.write(chunk)))
  client.on('close', () => {
    if (!isCut) server.destroy()
  })
  server.on('close', () => client.destroy())
  client.on('error', () => {})
  server.on('error', () => {})
}

/**
 * Returns a function that detects commits in the chunks of a client: COMMIT, or a write outside a
 * transaction.
 */
function createCommitFinder(): (chunk: Buffer) => boolean {
  const readMessages = createMessageReader()
  const writingStatements = new Set<string>()
  let inTransaction = false
  let isWriting = false

  function commits({ type, content }: Message): boolean {
    const [first = '', second = ''] = content.toString('latin1').split('\0', 2)
    if (type === 'Q') {
      const endsSo = /\bcommit;?\s*$/i.test(first)
      if (/^\s*(begin|start transaction)\b/i.test(first)) inTransaction = !endsSo
      else if (endsSo || /^\s*rollback\b/i.test(first)) inTransaction = false
      return endsSo
    }
    if (type === 'P') {
      if (/^\s*(insert|update|delete|with)\b/i.test(second)) writingStatements.add(first)
      else writingStatements.delete(first)
    }
    if (type === 'B') isWriting = writingStatements.has(second)
    return type === 'S' && isWriting && !inTransaction
  }

  return (chunk) => readMessages(chunk).filter(commits).length > 0
}

type Message = { readonly type: string; readonly content: Buffer }

/** Reads messages. The first message of a connection has no type. */
function createMessageReader(): (chunk: Buffer) => Message[] {
  let pending = Buffer.alloc(0)
  let typeLength = 0
  return (chunk) => {
    pending = Buffer.concat([pending, chunk])
    const messages: Message[] = []
    while (pending.length >= typeLength + 4) {
      const end = typeLength + pending.readUInt32BE(typeLength)
      if (pending.length < end) break
      messages.push({
        type: pending.toString('latin1', 0, typeLength),
        content: pending.subarray(typeLength + 4, end),
      })
      pending = pending.subarray(end)
      typeLength = 1
    }
    return messages
  }
}
