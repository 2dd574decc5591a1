/** The language of these scripts. The build sets it (scripts/web-build/languages.ts). */
export const translation: {
  readonly language: string
  /** Translations of the server's sentences about failures and credits, by their English text. */
  readonly problems: Readonly<Record<string, string>>
} = { language: 'en', problems: {} }
