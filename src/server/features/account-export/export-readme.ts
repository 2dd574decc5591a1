/** The README of an export: describes each file. */
import type { Context } from '../../context.ts'
import { sheets } from './queries.ts'

const others: readonly (readonly [string, string])[] = [
  ['account.json', 'The account: names, e-mail, age, interests, credit balance and tier'],
  ['sessions/', 'Each session with its slides and captions, by its number and title'],
  ['vault/', 'The files of the vault, with their number in vault.json and their original name'],
  ['session-files/', 'Files that belong to one session, with its number'],
  ['enhancements/', 'Enhanced pictures: the originals and the results'],
  ['other-files/', 'Profile pictures, pictures of sessions, and results of the last day'],
  ['missing.json', 'Files that could not be exported, each with the reason'],
]

export function readmeText(ctx: Context): string {
  const all = [...others, ...sheets.map(({ name, about }) => [name, about] as const)]
  const widest = Math.max(...all.map(([name]) => name.length))
  const lines = all.map(([name, about]) => `  ${name.padEnd(widest)}  ${about}.`)
  return [
    `Everything that your account at ${ctx.config.baseUrl} contained at ${ctx.now().toISOString()}.`,
    '',
    ...lines,
    '',
    'JSON files are UTF-8; lists have one entry a line. Times are UTC.',
    'Thumbnails and other files that are made from yours are not included.',
    '',
  ].join('\n')
}
