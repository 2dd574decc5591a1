/**
 * Stops the process when npm stops. A signal to npm ends npm and its shell, but the process that they
 * started would keep running, with its port and its lock. So the process treats the end of its parent as
 * SIGTERM. This applies only if npm started it: other processes outlive their parents on purpose. On
 * Windows the id of the parent never changes.
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
