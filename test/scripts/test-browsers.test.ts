/** The other browsers are programs of the system. If one is missing, the command says what to install. */
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs `npm run test:browsers` with only this folder in PATH. */
function runIn(folder: string) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['scripts/run.cjs', 'scripts/test-browsers.ts'],
      { cwd: root, env: { PATH: folder } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

test('what is missing is said in one line, with the packages that bring it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-programs-'))
  try {
    expect(await runIn(folder)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Cannot find firefox-esr, WebKitWebDriver, Xvfb. On Debian: apt-get install firefox-esr webkit2gtk-driver xvfb\n',
    })
    await writeFile(join(folder, 'firefox-esr'), '')
    await chmod(join(folder, 'firefox-esr'), 0o755)
    expect((await runIn(folder)).stderr).toBe(
      'Cannot find WebKitWebDriver, Xvfb. On Debian: apt-get install webkit2gtk-driver xvfb\n',
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})
