/** The codes of rooms, which people read on one screen and type on another device. */

/** Letters and digits without those that are easily confused. */
export const roomCodeLetters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
export const roomCodeLength = 6

/** Returns true for a valid code in capitals. */
export function isRoomCode(code: string): boolean {
  return (
    code.length === roomCodeLength &&
    Array.from(code).every((letter) => roomCodeLetters.includes(letter))
  )
}
