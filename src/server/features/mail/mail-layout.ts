/** Renders mails: as HTML in the site's colours, laid out with simple tables, and as plain text. */
import { escapeHtml, tag } from '../../http/html.ts'

export type Letter = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** The only link, if the reader should do something. */
  readonly action?: { readonly label: string; readonly url: string }
  /** Small text at the end: why the reader gets this mail. */
  readonly reason: string
}

/** The light colours of src/web/theme.css, in hexadecimal: mail programs do not know newer colour syntax. */
const colours = {
  room: '#f4f1e9',
  mount: '#fcfaf6',
  hairline: '#dad5cc',
  ink: '#231d17',
  inkQuiet: '#514940',
  lamp: '#f4ac3c',
  onLamp: '#211408',
}
const font = "font-family:'Hanken Grotesk','Segoe UI',Helvetica,Arial,sans-serif"

export function renderLetter(
  letter: Letter,
  site: { readonly name: string; readonly url: string; readonly language: string },
) {
  return {
    subject: letter.subject,
    text: textOf(letter, site),
    html: htmlOf(letter, site),
  }
}

function textOf({ paragraphs, action, reason }: Letter, site: { name: string; url: string }) {
  const link = action ? [`${action.label}:\n${action.url}`] : []
  return `${[...paragraphs, ...link, '--', reason, `${site.name}, ${site.url}`].join('\n\n')}\n`
}

function htmlOf(letter: Letter, site: { name: string; url: string; language: string }): string {
  const { subject, paragraphs, action, reason } = letter
  const table = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"'
  const said = [
    styled('h1', 'margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600', subject),
    ...paragraphs.map((text) =>
      styled('p', 'margin:0 0 16px;font-size:16px;line-height:1.5', text),
    ),
    action === undefined ? '' : buttonOf(action),
  ]
  return (
    `<!doctype html>${tag('html', { lang: site.language })}<head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width">' +
    `<meta name="color-scheme" content="light"><title>${escapeHtml(subject)}</title></head>` +
    tag('body', { style: `margin:0;padding:0;background:${colours.room};color:${colours.ink}` }) +
    `<table ${table}><tr>${tag('td', { align: 'center', style: 'padding:32px 16px' })}` +
    `<table ${table} style="max-width:480px"><tr>` +
    tag('td', { style: `${font};padding:0 4px 12px;font-size:16px;font-weight:600` }) +
    `${escapeHtml(site.name)}</td></tr><tr>` +
    tag('td', {
      style: `${font};background:${colours.mount};border:1px solid ${colours.hairline};border-radius:12px;padding:28px 24px 12px`,
    }) +
    `${said.join('')}</td></tr><tr>` +
    tag('td', {
      style: `${font};padding:16px 4px;font-size:13px;line-height:1.5;color:${colours.inkQuiet}`,
    }) +
    `${escapeHtml(reason)}<br>${escapeHtml(`${site.name}, ${site.url}`)}</td></tr></table>` +
    '</td></tr></table></body></html>'
  )
}

/** Writes the address as text too, for mail programs without buttons and readers who do not trust them. */
function buttonOf({ label, url }: { label: string; url: string }): string {
  const look = `display:inline-block;padding:12px 20px;border-radius:10px;background:${colours.lamp};color:${colours.onLamp};font-size:16px;font-weight:600;text-decoration:none`
  return (
    `<p style="margin:8px 0 20px">${tag('a', { href: url, style: look })}${escapeHtml(label)}</a></p>` +
    styled(
      'p',
      `margin:0 0 16px;font-size:13px;line-height:1.5;color:${colours.inkQuiet};word-break:break-all`,
      url,
    )
  )
}

function styled(name: string, style: string, text: string): string {
  return `${tag(name, { style })}${escapeHtml(text)}</${name}>`
}
