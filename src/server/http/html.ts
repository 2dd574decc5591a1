/** HTML in the few places where the server writes some: whatever is put in is escaped here. */

/** In a text as well as in an attribute's quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** An opening tag; true is an attribute without a value, and what is null or false is left out. */
export function tag(
  name: string,
  attributes: Readonly<Record<string, string | number | boolean | null>>,
): string {
  const written = Object.entries(attributes).map(([attribute, value]) => {
    if (value === null || value === false) return ''
    return value === true ? ` ${attribute}` : ` ${attribute}="${escapeHtml(String(value))}"`
  })
  return `<${name}${written.join('')}>`
}

/** An element with a text in it. */
export function textElement(name: string, className: string, text: string): string {
  return `${tag(name, { class: className })}${escapeHtml(text)}</${name}>`
}
