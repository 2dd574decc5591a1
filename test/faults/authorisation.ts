/** Every endpoint, called by every kind of caller: the whole matrix. Both test suites include it too. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { endpoints } from '../../src/contract/api.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'

const root = resolve(import.meta.dirname, '../..')
const matrix = 'test/api/matrix.test.ts'
const callers =
  'a visitor, a signed-out and a disabled account, a user, an administrator, a super_admin'

export const row: FaultRow = {
  budgetSeconds: 180,
  runs: 'in the table',
  machine: 'shared',
  shortTests: [matrix],
  mutant: {
    file: 'src/server/http/access.ts',
    line: "if (endpoint.who === 'admin') return user.role !== 'user'",
    becomes: '',
  },
  checks: [
    {
      load: `${endpoints.length} endpoints × ${callers}`,
      goal: 'who gets in is what the contract says',
      run: runMatrix,
    },
  ],
}

async function runMatrix({ say, afterwards }: FaultTools): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-matrix-'))
  afterwards(() => rm(folder, { recursive: true }))
  const outputFile = join(folder, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--project', 'postgres', '--reporter', 'json', matrix]
  const child = spawn(process.execPath, [...args, '--outputFile', outputFile], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'close')
  const report = JSON.parse(await readFile(outputFile, 'utf8')) as {
    numPassedTests: number
    numFailedTests: number
    testResults: { assertionResults: { status: string; fullName: string }[] }[]
  }
  const failed = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
  for (const { fullName } of failed.slice(0, 10)) say(fullName)
  return verdict(`${report.numPassedTests} cells as declared, ${report.numFailedTests} not`, {
    'somebody gets in, or does not': report.numFailedTests === 0 && report.numPassedTests > 0,
  })
}
