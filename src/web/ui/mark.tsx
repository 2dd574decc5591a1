/** The logo: an L whose foot is a beam of light. The name is beside it, so screen readers skip it. */

export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className="size-6 shrink-0">
      <rect x="4" y="3" width="8" height="26" rx="2" className="fill-ink" />
      <path
        d="M14.5 23.4 28.5 13.4v15.1h-14z"
        strokeLinejoin="round"
        className="fill-lamp stroke-lamp"
      />
    </svg>
  )
}
