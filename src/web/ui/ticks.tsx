/** Progress of what can be counted: a tick for each, with words for who cannot see them. */

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
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      aria-valuetext={`${done} of ${total}`}
      className={`ticks ${hasFailed ? 'ticks-failed' : ''} ${className}`}
    >
      {Array.from({ length: total }, (_, index) => (
        <i key={index} data-on={index < done ? '' : undefined} />
      ))}
    </div>
  )
}
