/** What was typed into a form, by the names of its fields, and whether the browser takes it. */

export function valuesOf(form: HTMLFormElement): (fieldName: string) => string {
  const data = new FormData(form)
  return (fieldName) => {
    const value = data.get(fieldName)
    return typeof value === 'string' ? value : ''
  }
}

/** Every wrong field hears of it and shows its own complaint; the first takes the focus. */
export function isValid(form: HTMLFormElement): boolean {
  if (form.checkValidity()) return true
  form.querySelector<HTMLElement>(':invalid')?.focus()
  return false
}
