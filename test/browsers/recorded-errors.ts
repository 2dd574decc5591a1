/**
 * The built web client with a script in front that records the errors of the page. The classic WebDriver
 * cannot report errors, and a script that is added after the page has loaded misses the first ones.
 */
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a copy of the web client. The caller removes it. */
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

/** Runs in the page. Keeps the errors for the window, across all pages of the site. */
function recordErrors() {
  const kept: string[] = JSON.parse(sessionStorage.getItem('recorded-errors') ?? '[]')
  function keep(text: string) {
    kept.push(`${location.pathname}: ${text}`)
    sessionStorage.setItem('recorded-errors', JSON.stringify(kept))
  }
  // Leaving a page aborts its pending requests, which is not an error.
  let isLeaving = false
  window.addEventListener('beforeunload', () => void (isLeaving = true))
  // In the capture phase, so that pictures and scripts that fail to load are recorded too.
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
