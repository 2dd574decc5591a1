/** Runs `npm run dev`: the service, restarted on changes, and Vite's server for the web client. */
import { spawn } from 'node:child_process'
import { buildWebIfStale } from './build-web.ts'

await buildWebIfStale()

const children = [
  spawn(
    'node',
    ['--watch-path=src/server', '--watch-path=src/contract', 'src/server/commands/run-service.ts'],
    {
      stdio: 'inherit',
    },
  ),
  spawn('vite', [], { stdio: 'inherit' }),
]

const stopAll = () => {
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stopAll)
process.on('SIGTERM', stopAll)
for (const child of children) child.on('exit', stopAll)
