/** What was typed into a form, by the names of its fields, and whether the browser takes it. */

export function valuesOf(form: HTMLFormElement): (fieldName: string) => string {
  const data = new FormData(form)
  return (fieldName) => {
    const value = data.get(fieldName)
    return typeof value === 'string' ? value : ''
  }
}

/** Every wrong field hears of it and shows its own complaint; the first is shown and focused. */
export function isValid(form: HTMLFormElement): boolean {
  if (form.checkValidity()) return true
  const wrong = form.querySelector<HTMLElement>(':is(input, select, textarea):invalid')
  wrong?.focus({ preventScroll: true })
  // In the middle: at an edge a bar of the page would lie over it, or its label be cut off.
  wrong?.scrollIntoView({ block: 'center' })
  return false
}
