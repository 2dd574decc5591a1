/**
 * Time limits for request bodies. A sender that makes progress may take as long as the body needs. One that
 * stalls, or is slower than any usable connection, is disconnected. The rest of a body after its response
 * is read and dropped for a while, so that the client can read the response.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** The event on a request whose sender is too slow. The reader of the body then answers the request. */
export const stalledEvent = 'stalled'

export type BodyPace = {
  readonly idleMs: number
  /** The time that a sender may be behind the minimum rate. Sending early does not increase it. */
  readonly graceMs: number
  readonly minBytesPerSecond: number
  /** Limits for a sender whose request is already answered: time, bytes and grace. */
  readonly lingerMs: number
  readonly lingerBytes: number
  readonly lingerGraceMs: number
  readonly checkMs: number
}

/**
 * 16 KB a second is a tenth of what the slowest mobile networks send today. Many clients read the response
 * only after sending the whole body, so a refused film of some gigabytes is read to its end.
 */
export const bodyPace: BodyPace = {
  idleMs: 20_000,
  graceMs: 25_000,
  minBytesPerSecond: 16 * 1024,
  lingerMs: 10 * 60_000,
  lingerBytes: 4096 * 1_048_576,
  lingerGraceMs: 5000,
  checkMs: 1000,
}

type Body = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  seenBytes: number
  /** The remaining time that a sender may be behind the minimum rate, and the time it has been silent. */
  patienceMs: number
  idleMs: number
  answered: { ms: number; readonly atBytes: number } | null
}

/** Watches every request with a body on the server. Returns a function that ends the watch. */
export function watchBodies(server: Server, pace: BodyPace = bodyPace): () => void {
  const bodies = new Set<Body>()
  server.on('request', (request, response) => {
    if (!hasBody(request)) return
    const body: Body = {
      request,
      response,
      seenBytes: request.socket.bytesRead,
      patienceMs: pace.graceMs,
      idleMs: 0,
      answered: null,
    }
    bodies.add(body)
    request.once('close', () => bodies.delete(body))
    closeAfterBody(request)
  })
  let lastMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    // While this process was blocked, it could not receive data.
    const passedMs = Math.min(nowMs - lastMs, 2 * pace.checkMs)
    lastMs = nowMs
    for (const body of bodies) check(body, passedMs, pace)
  }, pace.checkMs).unref()
  return () => clearInterval(timer)
}

/**
 * Closes the connection in two steps when it ends with its response. Node would close it as soon as the
 * response is written. The kernel resets a connection that is closed with unread bytes, and the response is
 * lost. So only our side ends first, and the rest follows when the body has been read.
 */
function closeAfterBody(request: IncomingMessage): void {
  const { socket } = request
  const closeNow = () => Socket.prototype.destroySoon.call(socket)
  socket.destroySoon = () => {
    if (request.complete || request.destroyed) return closeNow()
    socket.end()
    request.once('close', closeNow)
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function check(body: Body, passedMs: number, pace: BodyPace): void {
  const { request, response } = body
  const { bytesRead } = request.socket
  if (response.writableEnded) {
    body.answered ??= { ms: 0, atBytes: bytesRead }
    body.answered.ms += passedMs
    request.resume()
  }
  const cameBytes = bytesRead - body.seenBytes
  body.seenBytes = bytesRead
  // Received data that is not read yet is our delay and not the sender's.
  const isOurTurn = request.complete || request.isPaused() || request.readableLength > 0
  const earnedMs = (cameBytes / pace.minBytesPerSecond) * 1000
  const spentMs = isOurTurn ? 0 : passedMs
  const maxMs = body.answered ? pace.lingerGraceMs : pace.graceMs
  body.patienceMs = Math.min(maxMs, body.patienceMs + earnedMs - spentMs)
  body.idleMs = cameBytes > 0 ? 0 : body.idleMs + spentMs
  const isTooSlow = body.patienceMs < 0 || body.idleMs > pace.idleMs
  if (!isTooSlow && !hasLingered(body, pace)) return
  // No reader can answer the request, or it is already answered.
  if (body.answered || !request.emit(stalledEvent)) request.socket.destroy()
}

function hasLingered({ answered, seenBytes }: Body, { lingerMs, lingerBytes }: BodyPace): boolean {
  return answered !== null && (answered.ms > lingerMs || seenBytes - answered.atBytes > lingerBytes)
}
