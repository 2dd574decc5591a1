/**
 * The built web client with a script in front that keeps what the page complains of. The classic
 * WebDriver has no word for errors, and a script that comes after the page was read misses the first.
 */
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A copy that the caller removes. */
export async function copyWithErrorRecorder(webFolder: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-recorded-web-'))
  await cp(webFolder, folder, { recursive: true })
  const page = join(folder, 'index.html')
  const html = await readFile(page, 'utf8')
  const recorded = html.replace('<title>', '<script src="/record-errors.js"></script><title>')
  if (recorded === html) throw new Error(`${page} has no <title> to stand before`)
  await writeFile(page, recorded)
  await writeFile(join(folder, 'record-errors.js'), `(${recordErrors.toString()})()`)
  return folder
}

/** Runs in the page. It keeps them for the window, whatever page of the site is opened next. */
function recordErrors() {
  const kept: string[] = JSON.parse(sessionStorage.getItem('recorded-errors') ?? '[]')
  function keep(text: string) {
    kept.push(`${location.pathname}: ${text}`)
    sessionStorage.setItem('recorded-errors', JSON.stringify(kept))
  }
  // What was still on its way when the page is left is broken off, which is no error.
  let isLeaving = false
  window.addEventListener('beforeunload', () => void (isLeaving = true))
  // While it is captured, so that a picture or script that did not load is heard as well.
  const isCaptured = { capture: true }
  window.addEventListener(
    'error',
    ({ target, message }) => {
      if (!(target instanceof Element)) keep(message)
      else if (!isLeaving) keep(`not loaded: ${target.outerHTML}`)
    },
    isCaptured,
  )
  window.addEventListener('unhandledrejection', ({ reason }) => keep(`unhandled: ${reason}`))
  document.addEventListener('securitypolicyviolation', (event) =>
    keep(`${event.violatedDirective} forbids ${event.blockedURI}`),
  )
  for (const level of ['error', 'warn'] as const) {
    const print = console[level]
    console[level] = (...words: unknown[]) => {
      keep(words.map(String).join(' '))
      print(...words)
    }
  }
}
