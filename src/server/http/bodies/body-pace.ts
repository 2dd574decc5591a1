/**
 * Which bodies are waited for. A sender who moves may take as long as the body is large; one who
 * stalls, or sends slower than any line there is, is given up. What is left of a body after its
 * answer is read and dropped for a while, so that the answer can be read.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** Emitted on a request whose sender is given up, for whoever reads its body to answer. */
export const stalledEvent = 'stalled'

export type BodyPace = {
  readonly idleMs: number
  /** A sender may be this far behind the least rate; what it sent early counts no further. */
  readonly graceMs: number
  readonly leastBytesPerSecond: number
  /** How long, how much and how late a sender who has been answered may still send. */
  readonly lingerMs: number
  readonly lingerBytes: number
  readonly lingerGraceMs: number
  readonly checkMs: number
}

/**
 * 16 KB a second is a tenth of what the slowest mobile networks of today send. Many clients read their
 * answer only after the whole body is sent, so a refused film of some gigabytes is read to its end.
 */
export const bodyPace: BodyPace = {
  idleMs: 20_000,
  graceMs: 25_000,
  leastBytesPerSecond: 16 * 1024,
  lingerMs: 10 * 60_000,
  lingerBytes: 4096 * 1_048_576,
  lingerGraceMs: 5000,
  checkMs: 1000,
}

type Body = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  seenBytes: number
  /** How long the sender may still be waited for at the least rate, and has been silent. */
  patienceMs: number
  idleMs: number
  answered: { ms: number; readonly atBytes: number } | null
}

/** Watches every request with a body that the server takes; gives what ends the watch. */
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
    // Where this process stood still, its senders could not be heard.
    const passedMs = Math.min(nowMs - lastMs, 2 * pace.checkMs)
    lastMs = nowMs
    for (const body of bodies) check(body, passedMs, pace)
  }, pace.checkMs).unref()
  return () => clearInterval(timer)
}

/**
 * Closes a connection that ends with its answer in two steps. Node would close it as soon as the answer
 * is written. The kernel resets a connection that is closed with unread bytes, and the answer is lost.
 * So only our side ends at first, and the rest follows when the body has been read.
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
  // What has come and is not read yet is waiting for us.
  const isOurTurn = request.complete || request.isPaused() || request.readableLength > 0
  const earnedMs = (cameBytes / pace.leastBytesPerSecond) * 1000
  const spentMs = isOurTurn ? 0 : passedMs
  const mostMs = body.answered ? pace.lingerGraceMs : pace.graceMs
  body.patienceMs = Math.min(mostMs, body.patienceMs + earnedMs - spentMs)
  body.idleMs = cameBytes > 0 ? 0 : body.idleMs + spentMs
  const isTooSlow = body.patienceMs < 0 || body.idleMs > pace.idleMs
  if (!isTooSlow && !hasLingered(body, pace)) return
  // Nobody to answer, or an answer that has been given.
  if (body.answered || !request.emit(stalledEvent)) request.socket.destroy()
}

function hasLingered({ answered, seenBytes }: Body, { lingerMs, lingerBytes }: BodyPace): boolean {
  return answered !== null && (answered.ms > lingerMs || seenBytes - answered.atBytes > lingerBytes)
}
