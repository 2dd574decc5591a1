/**
 * Hands mail to the site's mail server, over few connections and for a bounded time. What the server
 * refuses for good is told from what is worth another try.
 */
import { createTransport } from 'nodemailer'
import { MailRefused } from './mail-refused.ts'

export type MailMessage = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export type Mailer = {
  /** Throws where another try may help, and a `MailRefused` where none would. */
  send(message: MailMessage): Promise<void>
  close(): void
}

const connectionMs = 10_000
const silenceMs = 20_000

export function createMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    maxMessages: 100,
    connectionTimeout: connectionMs,
    greetingTimeout: connectionMs,
    dnsTimeout: connectionMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // A connection that breaks while nothing is sent is opened anew with the next message.
  transport.on('error', () => {})
  return {
    async send({ to, subject, text, html }) {
      const recipient = { name: '', address: to }
      // So that nobody's holiday notice is sent back.
      const headers = { 'Auto-Submitted': 'auto-generated' }
      const sent = { from, to: recipient, subject, text, html, headers }
      await transport.sendMail(sent).catch((error: unknown) => {
        throw isRefusal(error) ? new MailRefused(String(error)) : error
      })
    },
    close: () => transport.close(),
  }
}

/** 5xx to the message itself; to a wrong password or greeting the operator is the one who can help. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return false
  const isOfMessage = error.code === 'EENVELOPE' || error.code === 'EMESSAGE'
  return isOfMessage && Number(error.responseCode) >= 500
}
