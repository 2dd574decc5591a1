/**
 * The closing lines of a test run: the slowest files against their budget, or with `--profile` the
 * cost of every file by phase, the skipped tests with their reasons, and last the counts on one plain line.
 */
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import { fileBudgetSeconds, suite } from '../../test/suites.ts'
import { readFileCosts } from './file-costs.ts'
import { type FileTimes, slowestFiles, timesTable } from './times-table.ts'

export default class TestReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const files = timesOf(modules)
    const lines =
      process.env['TEST_PROFILE'] === '1'
        ? timesTable(files)
        : slowestFiles(files, fileBudgetSeconds[suite])
    process.stdout.write(`\n${[...lines, ...skippedTests(modules)].join('\n')}\n`)
    process.stdout.write(`\n${countsLine(modules, unhandled.length)}\n`)
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

/** The tests that skipped themselves, by reason. Those that a condition left out print it where it is tested. */
function skippedTests(modules: readonly TestModule[]): string[] {
  const skipped = modules.flatMap((module) =>
    [...module.children.allTests('skipped')].flatMap((test) => {
      const result = test.result()
      const reason = result.state === 'skipped' ? result.note : undefined
      return reason === undefined
        ? []
        : [{ reason, name: `${module.relativeModuleId}: ${test.name}` }]
    }),
  )
  return [...Map.groupBy(skipped, ({ reason }) => reason)].flatMap(([reason, tests]) => [
    '',
    `Skipped, as ${reason}:`,
    ...tests.map(({ name }) => `    ${name}`),
  ])
}

function countsLine(modules: readonly TestModule[], unhandledErrors: number): string {
  const states = modules.flatMap((module) =>
    [...module.children.allTests()].map((test) => test.result().state),
  )
  const count = (state: string) => states.filter((one) => one === state).length
  // If a file cannot be imported, or a hook throws, its tests are missing or count as skipped.
  const broken = modules
    .flatMap((module) => [module, ...module.children.allSuites()])
    .filter((one) => one.errors().length > 0).length
  const failed = count('failed') + broken + unhandledErrors
  return `${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`
}
