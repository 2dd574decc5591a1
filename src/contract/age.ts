/** The minimum age for adult content, and the age of a person on a day. */

export const adultAge = 18

/** Returns whole years between two days written YYYY-MM-DD. A person born on 29 February ages on 1 March. */
export function ageOn(today: string, birthDate: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years
}
