/** A keyboard key in a help text. */
export function Key({ children }: { children: string }) {
  return (
    <kbd className="inline-block min-w-5 rounded-aperture border border-current px-1.5 py-0.5 text-center font-sans text-2xs">
      {children}
    </kbd>
  )
}
