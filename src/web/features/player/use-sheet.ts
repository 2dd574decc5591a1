/**
 * Which sheet lies over the picture. Each opening has a number, because the browser closes a sheet
 * first and tells of it later: by then a key may have asked for the next one, which must stay.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import { guardBack } from '../../back-guard.ts'
import type { SheetName } from './sheets.tsx'

type OpenSheet = { readonly name: SheetName; readonly number: number }

export function useSheet() {
  const [sheet, setOpenSheet] = useState<OpenSheet | null>(null)
  const openings = useRef(0)
  const setSheet = useCallback((name: SheetName | null) => {
    openings.current += 1
    setOpenSheet(name === null ? null : { name, number: openings.current })
  }, [])
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
  }, [isOpen, setSheet])
  const closed = useCallback((number: number) => {
    setOpenSheet((now) => (now?.number === number ? null : now))
  }, [])
  return { sheet, setSheet, closed }
}
