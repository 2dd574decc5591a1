/** Returns false at first and true after a moment, so that a fast connection shows no flash. */
import { useEffect, useState } from 'react'

/** Equal to the delay of the boxes in ui.css. */
const graceMs = 200

export function useIsLate(): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), graceMs)
    return () => clearTimeout(timer)
  }, [])
  return isLate
}
