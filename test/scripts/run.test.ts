/** The starter of our files: a Node that cannot read TypeScript gets a one-line error. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs `npm run release -- --help` on this Node, which claims to have that version. */
function askForHelpOn(version: string) {
  const pretend = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
    process.argv.splice(1, 0, './scripts/run.cjs')
    require('./scripts/run.cjs')`
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['--eval', pretend, 'scripts/release.ts', '--help'],
      { cwd: root },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

test.each(['20.20.2', '22.17.1'])('Node %s is refused in one line', async (version) => {
  const { code, stdout, stderr } = await askForHelpOn(version)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(
    new RegExp(`^Lanternist needs Node 22\\.18 or newer, and this is ${version}\\..*\\n$`),
  )
})

test.each(['22.18.0', '24.0.0'])('Node %s runs the file with its arguments', async (version) => {
  const { code, stdout, stderr } = await askForHelpOn(version)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('usage: npm run release')
})

test.each(Object.entries(packageFile.scripts))(
  'npm run %s asks for the right Node first',
  (_, line) => {
    const [first = ''] = line.split(' && ')
    expect(first).not.toMatch(/^node (?!scripts\/run\.cjs )/)
  },
)
