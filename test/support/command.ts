/** Runs a command of package.json as the documentation writes it. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const repository = resolve(import.meta.dirname, '../..')

export type Outcome = { readonly code: number; readonly stdout: string; readonly stderr: string }

export function runCommand(line: string, settings: Record<string, string>): Promise<Outcome> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], FEED: 'off', ...settings }
  return new Promise((done) => {
    execFile(
      'sh',
      ['-c', line.replace(/^npm run /, 'npm run -s ')],
      { cwd: repository, env },
      (error, stdout, stderr) => done({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

/** Returns the lines of a page's shell blocks that start with `start`, with other paths. */
export function commandsOf(
  page: string,
  start: string,
  places: Readonly<Record<string, string>>,
): string[] {
  const text = readFileSync(resolve(repository, page), 'utf8')
  const lines = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block.split('\n').filter((line) => line.startsWith(start)),
  )
  return lines.map((line) =>
    Object.entries(places).reduce((said, [place, other]) => said.replaceAll(place, other), line),
  )
}
