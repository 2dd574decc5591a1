/** Names as people count them: 'IMG 9' before 'IMG 10'. */
export const byName = new Intl.Collator(undefined, { numeric: true })
