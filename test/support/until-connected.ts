/** Waits for a server that was just started. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

/** Waits until PostgreSQL, or a pooler before it, accepts connections. */
export async function untilConnected(url: string, timeoutMs: number): Promise<void> {
  for (const deadlineMs = performance.now() + timeoutMs; ;) {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (performance.now() > deadlineMs) throw error
      await sleep(50)
    }
  }
}
