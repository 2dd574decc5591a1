/** The programs of the other browsers, and their Debian packages. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const packageOf = {
  'firefox-esr': 'firefox-esr',
  WebKitWebDriver: 'webkit2gtk-driver',
  Xvfb: 'xvfb',
} as const

type Program = keyof typeof packageOf

/** Returns one line that says what to install, or null if everything is installed. */
export function describeMissing(path = process.env['PATH'] ?? ''): string | null {
  const programs = Object.keys(packageOf) as Program[]
  const missing = programs.filter((program) => findProgram(program, path) === null)
  if (missing.length === 0) return null
  const packages = missing.map((program) => packageOf[program]).join(' ')
  return `Cannot find ${missing.join(', ')}. On Debian: apt-get install ${packages}`
}

/** Returns the full path of a program. */
export function programPath(program: Program): string {
  const found = findProgram(program, process.env['PATH'] ?? '')
  if (found === null) throw new Error(`${program} cannot be found`)
  return found
}

function findProgram(program: string, path: string): string | null {
  const places = path.split(delimiter).map((folder) => join(folder, program))
  return places.find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
