/** The times of test files as lines for a terminal. */
import type { FileCost } from './file-costs.ts'

export type FileTimes = {
  readonly project: string
  readonly file: string
  readonly tests: number
  readonly wallMs: number
  readonly importMs: number
  /** Hooks: databases, services and browsers that start and stop. */
  readonly setUpMs: number
  readonly testsMs: number
  /** Measured only with `--profile`. */
  readonly cost: FileCost | null
}

const shownFiles = 10

/** The ten slowest files, with a mark where one exceeds the budget. */
export function slowestFiles(files: readonly FileTimes[], budgetSeconds: number): string[] {
  const slowest = bySlowest(files).slice(0, shownFiles)
  const over = files.filter(({ wallMs }) => wallMs > budgetSeconds * 1000).length
  return [
    `The ${slowest.length} slowest files (budget ${budgetSeconds} s a file, ${over} over it):`,
    ...slowest.map(({ project, file, wallMs }) => {
      const mark = wallMs > budgetSeconds * 1000 ? '  over budget' : ''
      return `${seconds(wallMs)}  ${project} ${file}${mark}`
    }),
  ]
}

/** Every file by phase, and the sum of each project. */
export function timesTable(files: readonly FileTimes[]): string[] {
  const projects = Map.groupBy(files, ({ project }) => project)
  const heading = columns.map(([name]) => name.padStart(9)).join('')
  return [
    `Seconds by phase. "waiting" is wall time in which neither this process, its children nor PostgreSQL worked.`,
    heading,
    ...[...projects].map(([project, its]) => row(its, `${project}: ${its.length} files`)),
    '',
    heading,
    ...bySlowest(files).map((file) => row([file], `${file.project} ${file.file}`)),
  ]
}

const columns: readonly (readonly [string, (file: FileTimes) => number])[] = [
  ['wall', ({ wallMs }) => wallMs],
  ['import', ({ importMs }) => importMs],
  ['set-up', ({ setUpMs }) => setUpMs],
  ['tests', ({ testsMs }) => testsMs],
  ['waiting', waitingMs],
  ['node', ({ cost }) => cost?.nodeMs ?? 0],
  ['browser', ({ cost, project }) => (isBrowsers(project) ? (cost?.childrenMs ?? 0) : 0)],
  ['children', ({ cost, project }) => (isBrowsers(project) ? 0 : (cost?.childrenMs ?? 0))],
  ['database', ({ cost }) => cost?.postgresMs ?? 0],
]

function waitingMs({ wallMs, cost }: FileTimes): number {
  if (cost === null) return 0
  return Math.max(0, wallMs - cost.nodeMs - cost.childrenMs - cost.postgresMs)
}

/** Only there are the children browsers; elsewhere they are services and commands. */
function isBrowsers(project: string): boolean {
  return project.startsWith('browser')
}

function row(files: readonly FileTimes[], name: string): string {
  const sums = columns.map(([, valueOf]) => files.reduce((sum, file) => sum + valueOf(file), 0))
  return `${sums.map((sum) => seconds(sum)).join('')}  ${name}`
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1).padStart(9)
}

function bySlowest(files: readonly FileTimes[]): FileTimes[] {
  return files.toSorted((one, other) => other.wallMs - one.wallMs)
}
