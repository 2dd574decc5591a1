// `node scripts/run.cjs <file.ts> …` runs a script of ours, or says in one line that this Node is too old.
// Older versions fail with a stack trace when they read TypeScript, so this file is JavaScript for any Node.
const { resolve } = require('node:path')
const { pathToFileURL } = require('node:url')
const { engines } = require('../package.json')

const least = engines.node.replace('>=', '')
const [leastMajor, leastMinor] = least.split('.').map(Number)
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  console.error(
    `Lanternist needs Node ${least} or newer, and this is ${process.versions.node}. On Linux and Windows \`npm ci\` brings one along, which \`npm start\` and the other scripts use.`,
  )
  process.exit(1)
}

const file = resolve(process.argv[2])
process.argv.splice(1, 2, file)
void import(pathToFileURL(file).href)
