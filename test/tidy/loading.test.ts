/** Checks that a start loads no library that only some sites or some requests use. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const server = resolve(import.meta.dirname, '../../src/server')
const service = join(server, 'node.ts')

/** Each one takes megabytes in every process that loads it. */
const loadedWhereUsed = [
  '@aws-sdk/client-s3',
  '@electric-sql/pglite',
  '@simplewebauthn/server',
  'feedsmith',
  'file-type',
  'htmlparser2',
  'mediabunny',
  'nodemailer',
  'onnxruntime-web',
  'openai',
  'openid-client',
  'redis',
  'sharp',
  'undici',
  'viem',
]

test('a start loads no library that only some sites, or only some requests, use', () => {
  const { files, packages } = loadedWith(service)
  expect(files.size).toBeGreaterThan(400)
  expect([...packages.keys()]).toEqual(expect.arrayContaining(['fastify', 'pg-boss', 'zod']))
  expect(loadedWhereUsed.filter((name) => packages.has(name)).map(wayTo(packages))).toEqual([])
})

test('little is loaded before the embedded database starts to compile', () => {
  expect(loadedWith(join(server, 'commands/run-service.ts')).files.size).toBeLessThan(40)
})

test('a library that is imported is seen, with the file that does', () => {
  const storage = join(server, 'platform/storage/s3-client.ts')
  expect(loadedWith(storage).packages.get('@aws-sdk/client-s3')).toBe(storage)
})

/** Returns all files that a file loads, and the packages, each with the first file that imports it. */
function loadedWith(entry: string) {
  const files = new Set<string>()
  const packages = new Map<string, string>()
  const visit = (file: string) => {
    if (files.has(file) || !existsSync(file)) return
    files.add(file)
    for (const name of importsOf(readFileSync(file, 'utf8')))
      if (name.startsWith('.')) visit(join(dirname(file), name))
      else if (!name.startsWith('node:') && !packages.has(name)) packages.set(name, file)
  }
  visit(entry)
  return { files, packages }
}

/** Returns static imports. Ignores imports of types, which load nothing, and dynamic imports. */
function importsOf(source: string): string[] {
  const statements =
    /^(?:import\s+(?!type\b)(?:[\w*{},\s]+?\sfrom\s+)?|export\s+[{*][\w*{},\s]*?\sfrom\s+)'([^']+)'/gm
  return [...source.matchAll(statements)].map(([, name = '']) => name)
}

function wayTo(packages: ReadonlyMap<string, string>) {
  return (name: string) => `${packages.get(name)} → ${name}`
}
