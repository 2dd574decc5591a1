/** A progress bar for amounts that are measured: bytes, seconds, or more items than ticks can show. */

export function ProgressLine({ label, share }: { label: string; share: number }) {
  return (
    <progress
      aria-label={label}
      value={share}
      className="block h-1 w-full appearance-none overflow-hidden rounded-[2px] bg-press [&::-moz-progress-bar]:bg-lamp [&::-webkit-progress-bar]:bg-press [&::-webkit-progress-value]:bg-lamp"
    />
  )
}
