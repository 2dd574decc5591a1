/** The language of these scripts. The build fills it in (scripts/web-build/languages.ts). */
export const translation: {
  readonly language: string
  /** The server's sentences about failures and credits, by their English text. */
  readonly problems: Readonly<Record<string, string>>
} = { language: 'en', problems: {} }
