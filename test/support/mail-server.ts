/** A real SMTP server on this machine that stores its messages, and can be busy or refuse. */
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { SMTPServerSession } from 'smtp-server'
import { SMTPServer } from 'smtp-server'

export type ReceivedMail = {
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The message as it was received. */
  readonly raw: string
}

/** The response to the next messages. */
type Mood = 'taking' | 'busy' | 'refusing'

export type MailServer = {
  readonly settings: { readonly SMTP_URL: string; readonly MAIL_FROM: string }
  readonly mails: ReceivedMail[]
  mood: Mood
  /** Returns the messages to an address, oldest first. */
  to(address: string): ReceivedMail[]
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const sockets = new Set<Socket>()
  const kept: MailServer = {
    settings: { SMTP_URL: '', MAIL_FROM: 'Lanternist <post@lanternist.test>' },
    mails: [],
    mood: 'taking',
    to: (address) => kept.mails.filter((mail) => mail.to === address),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, session, done) => void receive(stream, session, done),
  })
  async function receive(
    stream: Readable,
    session: SMTPServerSession,
    done: (error?: Error) => void,
  ): Promise<void> {
    const raw = await text(stream).catch(() => null)
    // The sender disconnected before the end, so there is no one to answer.
    if (raw === null) return
    if (kept.mood === 'busy') done(smtpError(451, 'Try again later'))
    if (kept.mood === 'refusing') done(smtpError(550, 'No such mailbox'))
    if (kept.mood !== 'taking') return
    const to = session.envelope.rcptTo[0]?.address ?? ''
    kept.mails.push({ to, ...parseMail(raw), raw })
    done()
  }
  server.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return Object.assign(kept, {
    settings: { ...kept.settings, SMTP_URL: `smtp://127.0.0.1:${port}` },
  })
}

/** Returns the token of the only link in a mail. */
export function tokenIn(mail: ReceivedMail | undefined): string {
  const [, token] = /\?token=([\w-]{43})(?![\w-])/.exec(mail?.text ?? '') ?? []
  if (token === undefined) throw new Error(`no token in ${mail?.text ?? 'no mail'}`)
  return token
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** Parses the subset of MIME that our own mails use: two parts of one text. */
function parseMail(raw: string) {
  const [head, body] = splitOnce(raw, '\r\n\r\n')
  const boundary = /boundary="?([^"\r\n;]+)/.exec(head)?.[1] ?? ''
  const parts = body.split(`--${boundary}`).map((part) => splitOnce(part.trimStart(), '\r\n\r\n'))
  const partOf = (type: string) => {
    const [partHead = '', content = ''] = parts.find(([words]) => words?.includes(type)) ?? []
    return decode(content, headerOf(partHead, 'content-transfer-encoding'))
  }
  return {
    from: headerOf(head, 'from'),
    subject: decodeWords(headerOf(head, 'subject')),
    text: partOf('text/plain'),
    html: partOf('text/html'),
  }
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)]
}

function headerOf(head: string, name: string): string {
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ')
  return new RegExp(`^${name}: *(.*)$`, 'im').exec(unfolded)?.[1]?.trim() ?? ''
}

function decode(content: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString()
  return encoding === 'quoted-printable' ? decodeQuoted(content.replaceAll('=\r\n', '')) : content
}

function decodeQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}

/** Decodes '=?UTF-8?Q?…?=' and '=?UTF-8?B?…?='. */
function decodeWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuoted(word.replaceAll('_', ' ')),
    )
}
