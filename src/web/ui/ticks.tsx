/** Progress of countable steps: a tick for each, with a label for screen readers. */

export function Ticks({
  label,
  done,
  total,
  hasFailed = false,
  className = '',
}: {
  label: string
  done: number
  total: number
  hasFailed?: boolean
  className?: string
}) {
  return (
    <div className={`relative ${className}`}>
      <progress className="sr-only" aria-label={label} value={done} max={total} />
      <div aria-hidden="true" className={`ticks ${hasFailed ? 'ticks-failed' : ''}`}>
        {Array.from({ length: total }, (_, index) => (
          <i key={index} data-on={index < done ? '' : undefined} />
        ))}
      </div>
    </div>
  )
}
