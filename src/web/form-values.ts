/** Reads the values of a form by field name, and validates it. */

export function valuesOf(form: HTMLFormElement): (fieldName: string) => string {
  const data = new FormData(form)
  return (fieldName) => {
    const value = data.get(fieldName)
    return typeof value === 'string' ? value : ''
  }
}

/** Validates a form. Every invalid field shows its own message; the first one is scrolled to and focused. */
export function isValid(form: HTMLFormElement): boolean {
  if (form.checkValidity()) return true
  const wrong = form.querySelector<HTMLElement>(':is(input, select, textarea):invalid')
  wrong?.focus({ preventScroll: true })
  // In the centre: at an edge a bar of the page could cover it or its label.
  wrong?.scrollIntoView({ block: 'center' })
  return false
}
