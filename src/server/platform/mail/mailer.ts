/**
 * Sends mail through the site's mail server, with few connections and a time limit. Separates permanent
 * refusals from failures that are worth a retry.
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
  /** Throws if a retry may help, and throws `MailRefused` if not. */
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
  // An idle connection that breaks is opened again for the next message.
  transport.on('error', () => {})
  return {
    async send({ to, subject, text, html }) {
      const recipient = { name: '', address: to }
      // Prevents automatic replies such as holiday notices.
      const headers = { 'Auto-Submitted': 'auto-generated' }
      const sent = { from, to: recipient, subject, text, html, headers }
      await transport.sendMail(sent).catch((error: unknown) => {
        throw isRefusal(error) ? new MailRefused(String(error)) : error
      })
    },
    close: () => transport.close(),
  }
}

/** Returns true for a 5xx reply to the message itself. Other 5xx replies are for the operator to fix. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return false
  const isOfMessage = error.code === 'EENVELOPE' || error.code === 'EMESSAGE'
  return isOfMessage && Number(error.responseCode) >= 500
}
