/** The sheet that is open over the picture. The browser's back button closes it. */
import { useEffect, useState } from 'react'
import { guardBack } from '../../back-guard.ts'

export type SheetName = 'help' | 'about' | 'settings' | 'screens'

export function useSheet() {
  const [sheet, setSheet] = useState<SheetName | null>(null)
  const isOpen = sheet !== null
  useEffect(() => {
    if (!isOpen) return
    const here = window.location.href
    // Back has removed the history entry of the player. Push it again and close the sheet instead.
    return guardBack(() => {
      window.history.pushState(null, '', here)
      setSheet(null)
      return true
    })
  }, [isOpen])
  return { sheet, setSheet }
}
