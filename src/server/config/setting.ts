/**
 * The description of an environment variable: its name, documentation, default in words, and parser. An
 * invalid value is a `SettingError` that names the variable.
 */
export type Setting<T> = {
  readonly name: string
  readonly fallback: string
  readonly meaning: string
  readonly parse: (text: string | undefined) => T
}

/** One clear line that names the variable. A failing start prints nothing else. */
export class SettingError extends Error {
  constructor(name: string, complaint: string) {
    super(`${name} ${complaint}`)
  }
}

/** The schemes of the URLs of other servers. */
export const webSchemes = ['http:', 'https:']

type Words = { fallback?: string; meaning: string }

export function textSetting(name: string, words: Words): Setting<string | undefined> {
  return describe(name, words, (text) => text)
}

export function textSettingOr(name: string, fallback: string, meaning: string): Setting<string> {
  return describe(name, { fallback, meaning }, (text) => text ?? fallback)
}

export function choiceSetting<const Choice extends string>(
  name: string,
  choices: readonly Choice[],
  words: Words,
): Setting<Choice | undefined> {
  return describe(name, words, (text) => {
    if (text === undefined) return undefined
    const choice = choices.find((candidate) => candidate === text)
    if (choice === undefined) throw new SettingError(name, `must be one of ${choices.join(', ')}`)
    return choice
  })
}

export function wholeNumberSetting(
  name: string,
  range: { min: number; max: number },
  words: Words,
): Setting<number | undefined> {
  return describe(name, words, (text) => {
    if (text === undefined) return undefined
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= range.min && value <= range.max) return value
    throw new SettingError(name, `must be a whole number from ${range.min} to ${range.max}`)
  })
}

export function urlSetting(
  name: string,
  protocols: readonly string[],
  words: Words,
): Setting<string | undefined> {
  return describe(name, words, (text) => {
    if (text === undefined) return undefined
    const url = URL.canParse(text) ? new URL(text) : null
    if (url && protocols.includes(url.protocol)) return text.replace(/(?<!\/)\/+$/, '')
    const forms = protocols.map((protocol) => `${protocol}//…`).join(' or ')
    throw new SettingError(name, `must be a URL like ${forms}`)
  })
}

export function urlSettingOr(
  name: string,
  protocols: readonly string[],
  fallback: string,
  { meaning }: { meaning: string },
): Setting<string> {
  const setting = urlSetting(name, protocols, { fallback, meaning })
  return { ...setting, parse: (text) => setting.parse(text) ?? fallback }
}

export function patternSetting(
  name: string,
  pattern: RegExp,
  complaint: string,
  words: Words,
): Setting<string | undefined> {
  return describe(name, words, (text) => {
    if (text === undefined || pattern.test(text)) return text
    throw new SettingError(name, complaint)
  })
}

/** Returns a setting with a custom parser, which throws an Error with the complaint. */
export function parsedSetting<T>(
  name: string,
  parse: (text: string | undefined) => T,
  words: Words,
): Setting<T> {
  return describe(name, words, (text) => {
    try {
      return parse(text)
    } catch (error) {
      throw new SettingError(name, error instanceof Error ? error.message : String(error))
    }
  })
}

function describe<T>(
  name: string,
  words: Words,
  parse: (text: string | undefined) => T,
): Setting<T> {
  return { name, fallback: words.fallback ?? 'none', meaning: words.meaning, parse }
}
