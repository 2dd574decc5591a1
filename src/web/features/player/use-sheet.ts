/**
 * Which sheet lies over the picture. Each opening has a number, because the browser closes a sheet
 * first and tells of it later: by then a key may have asked for the next one, which must stay.
 */
import { useCallback, useRef, useState } from 'react'
import type { SheetName } from './sheets.tsx'

type OpenSheet = { readonly name: SheetName; readonly number: number }

export function useSheet() {
  const [sheet, setOpenSheet] = useState<OpenSheet | null>(null)
  const openings = useRef(0)
  const setSheet = useCallback((name: SheetName | null) => {
    openings.current += 1
    setOpenSheet(name === null ? null : { name, number: openings.current })
  }, [])
  const closed = useCallback((number: number) => {
    setOpenSheet((now) => (now?.number === number ? null : now))
  }, [])
  return { sheet, setSheet, closed }
}
