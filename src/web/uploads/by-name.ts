/** Compares names with numbers: 'IMG 9' comes before 'IMG 10'. */
export const byName = new Intl.Collator(undefined, { numeric: true })
