/**
 * The closing lines of a test run: the slowest files against their budget, or with `--profile` the
 * cost of every file by phase, and last the counts on one plain line.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { fileBudgetSeconds, suite } from '../../test/suites.ts'
import { readFileCosts } from './file-costs.ts'
import { type FileTimes, slowestFiles, timesTable } from './times-table.ts'

const profileFile = new URL('../../.cache/test-profile.json', import.meta.url)

export default class TestReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = timesOf(modules)
    const lines =
      process.env['TEST_PROFILE'] === '1'
        ? timesTable(files)
        : slowestFiles(files, fileBudgetSeconds[suite])
    process.stdout.write(`\n${lines.join('\n')}\n`)
    mkdirSync(new URL('.', profileFile), { recursive: true })
    writeFileSync(profileFile, `${JSON.stringify(files, null, 1)}\n`)
    process.stdout.write(`\n${countsLine(modules)}\n`)
  }
}

function timesOf(modules: readonly TestModule[]): FileTimes[] {
  const costs = readFileCosts()
  return modules.map((module) => {
    const { collectDuration, setupDuration, prepareDuration, duration } = module.diagnostic()
    const tests = [...module.children.allTests()]
    const testsMs = tests.reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0)
    const importMs = collectDuration + setupDuration + prepareDuration
    return {
      project: module.project.name,
      file: module.relativeModuleId,
      tests: tests.length,
      wallMs: importMs + duration,
      importMs,
      setUpMs: Math.max(0, duration - testsMs),
      testsMs: Math.min(duration, testsMs),
      cost: costs.get(`${module.project.name} ${module.moduleId}`) ?? null,
    }
  })
}

function countsLine(modules: readonly TestModule[]): string {
  const states = modules.flatMap((module) =>
    [...module.children.allTests()].map((test) => test.result().state),
  )
  const count = (state: string) => states.filter((one) => one === state).length
  // A file that cannot be imported has no tests, and has failed all the same.
  const brokenFiles = modules.filter((module) => module.errors().length > 0).length
  return `${count('passed')} passed, ${count('failed') + brokenFiles} failed, ${count('skipped')} skipped`
}
