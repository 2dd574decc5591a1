/** A room for as long as a component is there, and the slide that is on in it. */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { connectRoom, type RoomConnection, type RoomView, slideOnNow } from './room-connection.ts'

export function useRoom(code: string): {
  connection: RoomConnection | null
  view: RoomView | null
} {
  const [connection, setConnection] = useState<RoomConnection | null>(null)
  useEffect(() => {
    const opened = connectRoom(code.toUpperCase())
    setConnection(opened)
    return () => opened.close()
  }, [code])
  const subscribe = useCallback(
    (listener: () => void) => connection?.subscribe(listener) ?? (() => {}),
    [connection],
  )
  const view = useSyncExternalStore(subscribe, () => connection?.read() ?? null)
  return { connection, view }
}

/** Draws anew when another slide is on. */
export function useSlideOn(connection: RoomConnection | null, view: RoomView | null): number {
  const [slide, setSlide] = useState(0)
  useEffect(() => {
    if (!connection || !view) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const on = slideOnNow(connection)
      if (!on) return
      setSlide(on.slide)
      if (on.endsAt !== null)
        timer = setTimeout(look, Math.max(20, on.endsAt - connection.nowMs() + 1))
    }
    look()
    return () => clearTimeout(timer)
  }, [connection, view])
  return slide
}
