/** Connects to a room while a component is mounted, and returns the current slide. */
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { connectRoom, type RoomConnection, type RoomView, slideOnNow } from './room-connection.ts'

export function useRoom(code: string): { connection: RoomConnection; view: RoomView } {
  const connection = useMemo(() => connectRoom(code.toUpperCase()), [code])
  useEffect(() => connection.start(), [connection])
  const view = useSyncExternalStore(connection.subscribe, connection.read)
  return { connection, view }
}

/** Renders again when the current slide changes. */
export function useSlideOn(connection: RoomConnection): number {
  const [slide, setSlide] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      const on = slideOnNow(connection)
      if (!on) return
      setSlide(on.slide)
      if (on.endsAt !== null)
        timer = setTimeout(look, Math.max(20, on.endsAt - connection.nowMs() + 1))
    }
    const unsubscribe = connection.subscribe(look)
    look()
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [connection])
  return slide
}
