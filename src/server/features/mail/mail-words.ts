/** The text of mails in every supported language. */
import { sourceLanguage } from '../../../contract/page-languages.ts'

/** Account changes that are mailed to the owner (contract 14). */
export const notices = [
  'password_changed',
  'password_reset',
  'email_changed',
  'passkey_added',
  'passkey_removed',
  'totp_enabled',
  'totp_disabled',
  'key_created',
  'key_removed',
] as const

export type Notice = (typeof notices)[number]

/** Sign-in methods that a password reset removed and kept. */
type ResetWords = {
  readonly removed: (what: string) => string
  readonly nothingRemoved: string
  readonly remaining: (what: string) => string
  readonly nothingRemaining: string
  readonly passkeys: (count: number) => string
  readonly secondFactor: string
  readonly and: string
}

type NoticeWords = { readonly subject: string; readonly happened: string }

export type MailWords = {
  readonly resetSubject: (site: string) => string
  readonly resetAsked: (site: string) => string
  readonly resetAction: string
  readonly worksOnce: string
  readonly ignore: string
  readonly confirmSubject: (site: string) => string
  readonly confirmAsked: (site: string) => string
  readonly confirmAction: string
  readonly takenSubject: (site: string) => string
  readonly takenAsked: (site: string) => string
  readonly notices: Readonly<Record<Notice, NoticeWords>>
  readonly reset: ResetWords
  readonly when: (site: string, time: string) => string
  readonly notYou: string
  readonly oldAddress: string
  readonly reason: (site: string) => string
}

const english: MailWords = {
  resetSubject: (site) => `A new password for ${site}`,
  resetAsked: (site) => `Somebody, most likely you, wants to set a new password at ${site}.`,
  resetAction: 'Set a new password',
  worksOnce: 'The link works once, within the next 60 minutes.',
  ignore: 'If that was not you, there is nothing to do: without this link nothing changes.',
  confirmSubject: (site) => `Confirm your address for ${site}`,
  confirmAsked: (site) => `This is to become the address of an account at ${site}.`,
  confirmAction: 'Confirm this address',
  takenSubject: (site) => `Your address at ${site}`,
  takenAsked: (site) =>
    `Somebody wanted to use this address for another account at ${site}. It is yours already, so nothing was changed.`,
  notices: {
    password_changed: {
      subject: 'Your password was changed',
      happened: 'Every other browser was signed out.',
    },
    password_reset: {
      subject: 'A new password was set',
      happened: 'All sign-ins and keys have ended.',
    },
    email_changed: {
      subject: 'The address of your account was changed',
      happened: 'Mail goes to the new address from now on.',
    },
    passkey_added: {
      subject: 'A passkey was added',
      happened: 'It can be used to sign in to your account.',
    },
    passkey_removed: {
      subject: 'A passkey was removed',
      happened: 'It no longer signs in to your account.',
    },
    totp_enabled: {
      subject: 'Codes are asked for now',
      happened: 'Signing in with your password needs a code as well.',
    },
    totp_disabled: {
      subject: 'Codes are no longer asked for',
      happened: 'Your password alone signs in to your account.',
    },
    key_created: {
      subject: 'A key was made',
      happened: 'Programs that have it can use your account.',
    },
    key_removed: {
      subject: 'A key was removed',
      happened: 'Programs that have it can no longer use your account.',
    },
  },
  reset: {
    removed: (what) => `These were added in the last 7 days and are removed: ${what}.`,
    nothingRemoved: 'No passkey and no second factor was added in the last 7 days.',
    remaining: (what) => `These remain: ${what}.`,
    nothingRemaining: 'No passkey and no second factor remains.',
    passkeys: (count) => (count === 1 ? '1 passkey' : `${count} passkeys`),
    secondFactor: 'the second factor',
    and: ' and ',
  },
  when: (site, time) => `It was done at ${site} on ${time}.`,
  notYou:
    'If that was not you, set a new password by “Forgot your password?” on the sign-in page: it ends all sign-ins and keys, and removes what was added in the last 7 days.',
  oldAddress: 'If that was not you, write to the people who run the site.',
  reason: (site) => `You have this mail because your address was given to ${site}.`,
}

const german: MailWords = {
  resetSubject: (site) => `Ein neues Passwort für ${site}`,
  resetAsked: (site) =>
    `Jemand, höchstwahrscheinlich du, möchte bei ${site} ein neues Passwort setzen.`,
  resetAction: 'Neues Passwort setzen',
  worksOnce: 'Der Link gilt einmal, innerhalb der nächsten 60 Minuten.',
  ignore: 'Falls du das nicht warst, ist nichts zu tun: Ohne diesen Link ändert sich nichts.',
  confirmSubject: (site) => `Bestätige deine Adresse für ${site}`,
  confirmAsked: (site) => `Dies soll die Adresse eines Kontos bei ${site} werden.`,
  confirmAction: 'Adresse bestätigen',
  takenSubject: (site) => `Deine Adresse bei ${site}`,
  takenAsked: (site) =>
    `Jemand wollte diese Adresse für ein anderes Konto bei ${site} verwenden. Sie gehört schon dir, deshalb wurde nichts geändert.`,
  notices: {
    password_changed: {
      subject: 'Dein Passwort wurde geändert',
      happened: 'Alle anderen Browser wurden abgemeldet.',
    },
    password_reset: {
      subject: 'Ein neues Passwort wurde gesetzt',
      happened: 'Alle Anmeldungen und Schlüssel sind beendet.',
    },
    email_changed: {
      subject: 'Die Adresse deines Kontos wurde geändert',
      happened: 'E-Mails gehen von jetzt an an die neue Adresse.',
    },
    passkey_added: {
      subject: 'Ein Passkey wurde hinzugefügt',
      happened: 'Mit ihm kann man sich bei deinem Konto anmelden.',
    },
    passkey_removed: {
      subject: 'Ein Passkey wurde entfernt',
      happened: 'Mit ihm kann man sich nicht mehr anmelden.',
    },
    totp_enabled: {
      subject: 'Ab jetzt wird nach Codes gefragt',
      happened: 'Zur Anmeldung mit deinem Passwort gehört nun auch ein Code.',
    },
    totp_disabled: {
      subject: 'Nach Codes wird nicht mehr gefragt',
      happened: 'Zur Anmeldung genügt wieder dein Passwort.',
    },
    key_created: {
      subject: 'Ein Schlüssel wurde erstellt',
      happened: 'Programme, die ihn haben, können dein Konto verwenden.',
    },
    key_removed: {
      subject: 'Ein Schlüssel wurde entfernt',
      happened: 'Programme, die ihn haben, können dein Konto nicht mehr verwenden.',
    },
  },
  reset: {
    removed: (what) =>
      `Diese wurden in den letzten 7 Tagen hinzugefügt und sind entfernt: ${what}.`,
    nothingRemoved:
      'In den letzten 7 Tagen wurden kein Passkey und kein zweiter Faktor hinzugefügt.',
    remaining: (what) => `Diese bleiben: ${what}.`,
    nothingRemaining: 'Es bleiben kein Passkey und kein zweiter Faktor.',
    passkeys: (count) => (count === 1 ? '1 Passkey' : `${count} Passkeys`),
    secondFactor: 'der zweite Faktor',
    and: ' und ',
  },
  when: (site, time) => `Das geschah bei ${site} am ${time}.`,
  notYou:
    'Falls du das nicht warst, setze über „Passwort vergessen?“ auf der Anmeldeseite ein neues Passwort: Damit enden alle Anmeldungen und Schlüssel, und was in den letzten 7 Tagen hinzukam, wird entfernt.',
  oldAddress: 'Falls du das nicht warst, schreibe den Betreibern der Seite.',
  reason: (site) => `Du bekommst diese E-Mail, weil deine Adresse bei ${site} angegeben wurde.`,
}

const wordsByLanguage: Readonly<Record<string, MailWords>> = {
  [sourceLanguage]: english,
  de: german,
}

export const mailLanguages = Object.keys(wordsByLanguage)

/** Returns the text in a language, or in English if there is no translation. */
export function mailWordsIn(language: string | null): { language: string; words: MailWords } {
  const words = language === null ? undefined : wordsByLanguage[language]
  return words && language !== null
    ? { language, words }
    : { language: sourceLanguage, words: english }
}
