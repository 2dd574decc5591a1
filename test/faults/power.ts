/**
 * A power cut while clients write to a site on the embedded database with default settings: everything
 * that was not synced is lost, but no acknowledged write is.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultEngines } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import { losePower } from '../support/lose-power.ts'
import { startService } from '../support/service-process.ts'
import { checkJournal, createJournal, writeUntilGone } from '../support/write-journal.ts'

const losses = 3
const clients = 4
const minWrites = 20

export const row: FaultRow = {
  budgetSeconds: 480,
  runs: 'in the table',
  machine: 'shared',
  shortTests: ['test/server/embedded-sync.test.ts'],
  mutant: {
    file: 'src/server/database/durable-folder.ts',
    line: "const synced = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync']",
    becomes: "const synced = ['-c', 'fsync=on', '-c', 'wal_sync_method=fdatasync']",
  },
  checks: [
    {
      load: `${losses} losses of power while ${clients} clients write, the first in the first start's life`,
      goal: 'each start needs no hand, and nothing acknowledged is lost',
      run: loseOverAndOver,
    },
  ],
}

async function loseOverAndOver({ random, say, scaled, afterwards }: FaultTools): Promise<Verdict> {
  const engine = await faultEngines.embedded()
  afterwards(() => engine.close())
  const home = await engine.newHome()
  const disk = join(home.folder, 'disk')
  mkdirSync(disk)
  const settings = { ...home.settings, EMBEDDED_SYNC: '', DISK: disk }
  const start = () =>
    startService(settings, { folder: home.folder, program: 'test/support/powered-service.ts' })
  const journal = createJournal()
  const lost: string[] = []
  let service = await start()
  afterwards(() => service.kill())
  for (let loss = 1; loss <= scaled(losses, 2); loss += 1) {
    const label = `p${loss}`
    const before = journal.writes
    const writing = writeUntilGone(service.url, journal, { clients, label })
    while (journal.writes < before + minWrites) await sleep(20)
    await sleep(random.between(0, 700))
    await service.kill()
    await writing
    losePower(home.dataDir, disk)
    try {
      service = await start()
      for (let earlier = 1; earlier <= loss; earlier += 1)
        await checkJournal(service.url, journal, `p${earlier}`)
    } catch (error) {
      lost.push(`loss ${loss}: ${error instanceof Error ? error.message : String(error)}`)
      break
    }
    say(`loss ${loss}: after ${journal.writes - before} acknowledged writes, all there`)
  }
  return verdict(`${journal.writes} acknowledged writes over ${scaled(losses, 2)} losses`, {
    [lost[0] ?? '']: lost.length === 0,
  })
}
