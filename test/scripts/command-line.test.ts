/** Commands refuse unknown options before they do anything. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const repository = join(import.meta.dirname, '../..')
const commands = [
  'src/server/commands/backup.ts',
  'src/server/commands/migrate.ts',
  'src/server/commands/move-database.ts',
  'src/server/commands/move-storage.ts',
  'src/server/commands/restore.ts',
  'src/server/commands/run-service.ts',
  'scripts/cluster.ts',
  'scripts/faults.ts',
  'scripts/size.ts',
  'bench/run.ts',
]

/** The working folder of a command. DATA_DIR would be inside, so it shows any trace. */
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lanternist-words-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function run(command: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(repository, command), ...words],
    { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] }, timeout: 60_000 },
  )
  return { status, stdout, stderr, left: readdirSync(folder) }
}

test.each(commands)('%s does nothing where an option is not known', (command) => {
  expect(run(command, '--dry-run')).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Unknown option '--dry-run'\nusage: npm run .+\n$/),
    left: [],
  })
})

test('a command that takes one folder takes no second', () => {
  expect(run('src/server/commands/restore.ts', 'one', 'two')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'usage: npm run restore -- <folder of a backup>\n',
    left: [],
  })
})

test('--help prints the usage', () => {
  expect(run('src/server/commands/backup.ts', '--help')).toEqual({
    status: 0,
    stdout: 'usage: npm run backup -- <new folder>\n',
    stderr: '',
    left: [],
  })
})
