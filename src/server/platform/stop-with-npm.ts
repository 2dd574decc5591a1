/**
 * A signal that is sent to npm ends npm and its shell, and the process that they have started would go
 * on, with its port and its lock. So it takes the end of its parent for a SIGTERM. Only where npm has
 * started it: others outlive their parents on purpose. On Windows a parent's number never changes.
 */
const lookEveryMs = 1000

export function stopWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, lookEveryMs)
  timer.unref()
}
