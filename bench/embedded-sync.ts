/**
 * Runs `node bench/embedded-sync.ts [--commits 500] [--folder /on/the/disk]`: measures the cost of
 * EMBEDDED_SYNC=on on this disk. Both modes make the same commits in turns, so that a busy machine affects
 * both. A bare write and fsync shows the minimum time of a durable commit.
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedDatabase } from '../src/server/database/embedded.ts'
import { readCommandLine } from '../src/server/platform/command-line.ts'
import { median } from './harness/median.ts'
import { print, report } from './harness/page-figures.ts'

const { values } = readCommandLine({
  usage: 'node bench/embedded-sync.ts [--commits 500] [--folder /on/the/disk]',
  options: {
    commits: { type: 'string', default: '500' },
    folder: { type: 'string', default: tmpdir() },
  },
})
const commits = Number(values.commits)
const warmUpCommits = 50
const logPage = Buffer.alloc(8192, 1)

const place = mkdtempSync(join(values.folder, 'lanternist-sync-'))
try {
  const off = await openMode('off')
  const on = await openMode('on')
  const bare = openSync(join(place, 'bare'), 'w')
  const times = { off: [] as number[], on: [] as number[], bare: [] as number[] }
  for (let number = 1 - warmUpCommits; number <= commits; number += 1) {
    const taken = {
      off: await timeMs(() => off.commit(number)),
      on: await timeMs(() => on.commit(number)),
      bare: await timeMs(async () => {
        writeSync(bare, logPage)
        fsyncSync(bare)
      }),
    }
    if (number < 1) continue
    times.off.push(taken.off)
    times.on.push(taken.on)
    times.bare.push(taken.bare)
  }
  closeSync(bare)
  report('a commit with EMBEDDED_SYNC=off', times.off)
  report('a commit with EMBEDDED_SYNC=on', times.on)
  report('a write and an fsync alone', times.bare)
  const more = median(times.on) - median(times.off)
  print(
    `EMBEDDED_SYNC=on: ${more.toFixed(2)} ms more for a commit, in which the node does nothing else`,
  )
  await off.close()
  await on.close()
} finally {
  rmSync(place, { recursive: true, force: true })
}

async function openMode(mode: 'on' | 'off') {
  const database = await openEmbeddedDatabase(join(place, mode), { isDurable: mode === 'on' })
  await database.runScripts((scripts) => scripts.run('create table notes (number int, words text)'))
  return {
    commit: (number: number) =>
      database.query('insert into notes values ($1, repeat($2, 20))', [number, 'some words ']),
    close: database.close,
  }
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now()
  await work()
  return performance.now() - beganMs
}
