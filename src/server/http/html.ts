/** Helpers for the few places where the server writes HTML. They escape all values. */

/** Escapes text for elements and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Returns an opening tag. True is an attribute without a value; null and false are omitted. */
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

/** Returns an element with a text. */
export function textElement(name: string, className: string, text: string): string {
  return `${tag(name, { class: className })}${escapeHtml(text)}</${name}>`
}
