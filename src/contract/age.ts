/** From which age on adult content is open, and how old someone is on a day. */

export const adultAge = 18

/** Whole years between two days written YYYY-MM-DD; someone born on 29 February ages on 1 March. */
export function ageOn(today: string, birthDate: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years
}
