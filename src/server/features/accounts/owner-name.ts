/** What strangers are told of whoever shares something: the first name, and an initial. */

/** SQL, of a row of `users u`. */
export const ownerName = `coalesce(
  nullif(trim(concat_ws(' ', u.first_name, left(u.last_name, 1))), ''), 'Someone')`
