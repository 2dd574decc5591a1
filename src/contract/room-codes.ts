/** The codes of rooms, as they are read from one screen and entered on another. */

/** Without what is mistaken for another when it is read aloud or from afar. */
export const roomCodeLetters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
export const roomCodeLength = 6

/** In capitals. */
export function isRoomCode(code: string): boolean {
  return code.length === roomCodeLength && [...code].every((one) => roomCodeLetters.includes(one))
}
