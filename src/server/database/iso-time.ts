/** Times as PostgreSQL writes them into JSON itself. */

/** SQL: ISO 8601 in UTC, with milliseconds as JavaScript has them, or with all that the column knows. */
export const isoTime = (column: string, fraction: 'MS' | 'US' = 'MS') =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.${fraction}"Z"')`
