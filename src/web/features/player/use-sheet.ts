/** Which sheet lies over the picture, and that the browser's way back closes it. */
import { useEffect, useState } from 'react'
import { guardBack } from '../../back-guard.ts'

export type SheetName = 'help' | 'about' | 'settings' | 'screens'

export function useSheet() {
  const [sheet, setSheet] = useState<SheetName | null>(null)
  const isOpen = sheet !== null
  useEffect(() => {
    if (!isOpen) return
    const here = window.location.href
    // Back closes the sheet: the step that was taken out of the show is taken again.
    return guardBack(() => {
      window.history.pushState(null, '', here)
      setSheet(null)
      return true
    })
  }, [isOpen])
  return { sheet, setSheet }
}
