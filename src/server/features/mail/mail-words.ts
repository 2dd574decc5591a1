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
  resetSubject: (site) => `Set a new password for ${site}`,
  resetAsked: (site) =>
    `Someone asked to set a new password for your account at ${site}. If this was you, open the link below.`,
  resetAction: 'Set a new password',
  worksOnce: 'The link works once, for 60 minutes.',
  ignore: 'If this was not you, ignore this mail. Nothing changes without the link.',
  confirmSubject: (site) => `Confirm your address for ${site}`,
  confirmAsked: (site) => `Confirm that this is the new address of your account at ${site}.`,
  confirmAction: 'Confirm this address',
  takenSubject: (site) => `Your address is already in use at ${site}`,
  takenAsked: (site) =>
    `Someone tried to use this address for another account at ${site}. It already belongs to your account, so nothing was changed.`,
  notices: {
    password_changed: {
      subject: 'Your password was changed',
      happened: 'Every other browser was signed out.',
    },
    password_reset: {
      subject: 'A new password was set',
      happened: 'You were signed out everywhere, and all API keys were revoked.',
    },
    email_changed: {
      subject: 'The address of your account was changed',
      happened: 'Mail is sent to the new address from now on.',
    },
    passkey_added: {
      subject: 'A passkey was added',
      happened: 'You can sign in to your account with it.',
    },
    passkey_removed: {
      subject: 'A passkey was removed',
      happened: 'You can no longer sign in to your account with it.',
    },
    totp_enabled: {
      subject: 'Two-factor authentication is on',
      happened: 'Signing in with your password also needs a code from your authenticator app.',
    },
    totp_disabled: {
      subject: 'Two-factor authentication is off',
      happened: 'Your password alone is enough to sign in.',
    },
    key_created: {
      subject: 'An API key was created',
      happened: 'Programs with this key can use your account.',
    },
    key_removed: {
      subject: 'An API key was revoked',
      happened: 'Programs with this key can no longer use your account.',
    },
  },
  reset: {
    removed: (what) => `These were added in the last 7 days and have been removed: ${what}.`,
    nothingRemoved: 'No passkey and no two-factor authentication was added in the last 7 days.',
    remaining: (what) => `These remain: ${what}.`,
    nothingRemaining: 'No passkey and no two-factor authentication remains.',
    passkeys: (count) => (count === 1 ? '1 passkey' : `${count} passkeys`),
    secondFactor: 'two-factor authentication',
    and: ' and ',
  },
  when: (site, time) => `This happened at ${site} on ${time}.`,
  notYou:
    'If this was not you, set a new password with “Forgot your password?” on the sign-in page. This signs you out everywhere, revokes all API keys, and removes passkeys and two-factor authentication that were added in the last 7 days.',
  oldAddress: 'If this was not you, contact the people who run the site.',
  reason: (site) => `You get this mail because your address was entered at ${site}.`,
}

const german: MailWords = {
  resetSubject: (site) => `Neues Passwort für ${site} setzen`,
  resetAsked: (site) =>
    `Jemand möchte für dein Konto bei ${site} ein neues Passwort setzen. Wenn du das warst, öffne den Link unten.`,
  resetAction: 'Neues Passwort setzen',
  worksOnce: 'Der Link gilt einmal und 60 Minuten lang.',
  ignore: 'Falls du das nicht warst, ignoriere diese E-Mail. Ohne den Link ändert sich nichts.',
  confirmSubject: (site) => `Bestätige deine Adresse für ${site}`,
  confirmAsked: (site) => `Bestätige, dass dies die neue Adresse deines Kontos bei ${site} ist.`,
  confirmAction: 'Adresse bestätigen',
  takenSubject: (site) => `Deine Adresse wird bei ${site} schon verwendet`,
  takenAsked: (site) =>
    `Jemand wollte diese Adresse für ein anderes Konto bei ${site} verwenden. Sie gehört schon zu deinem Konto, deshalb wurde nichts geändert.`,
  notices: {
    password_changed: {
      subject: 'Dein Passwort wurde geändert',
      happened: 'Alle anderen Browser wurden abgemeldet.',
    },
    password_reset: {
      subject: 'Ein neues Passwort wurde gesetzt',
      happened: 'Du wurdest überall abgemeldet, und alle API-Schlüssel wurden widerrufen.',
    },
    email_changed: {
      subject: 'Die Adresse deines Kontos wurde geändert',
      happened: 'E-Mails werden von jetzt an an die neue Adresse geschickt.',
    },
    passkey_added: {
      subject: 'Ein Passkey wurde hinzugefügt',
      happened: 'Du kannst dich mit ihm bei deinem Konto anmelden.',
    },
    passkey_removed: {
      subject: 'Ein Passkey wurde entfernt',
      happened: 'Du kannst dich nicht mehr mit ihm anmelden.',
    },
    totp_enabled: {
      subject: 'Die Zwei-Faktor-Authentifizierung ist an',
      happened:
        'Die Anmeldung mit deinem Passwort braucht jetzt auch einen Code aus deiner Authenticator-App.',
    },
    totp_disabled: {
      subject: 'Die Zwei-Faktor-Authentifizierung ist aus',
      happened: 'Zur Anmeldung genügt wieder dein Passwort.',
    },
    key_created: {
      subject: 'Ein API-Schlüssel wurde erstellt',
      happened: 'Programme mit diesem Schlüssel können dein Konto verwenden.',
    },
    key_removed: {
      subject: 'Ein API-Schlüssel wurde widerrufen',
      happened: 'Programme mit diesem Schlüssel können dein Konto nicht mehr verwenden.',
    },
  },
  reset: {
    removed: (what) => `In den letzten 7 Tagen hinzugefügt und jetzt entfernt: ${what}.`,
    nothingRemoved:
      'In den letzten 7 Tagen wurden kein Passkey und keine Zwei-Faktor-Authentifizierung hinzugefügt.',
    remaining: (what) => `Es bleiben: ${what}.`,
    nothingRemaining: 'Es bleiben kein Passkey und keine Zwei-Faktor-Authentifizierung.',
    passkeys: (count) => (count === 1 ? '1 Passkey' : `${count} Passkeys`),
    secondFactor: 'die Zwei-Faktor-Authentifizierung',
    and: ' und ',
  },
  when: (site, time) => `Das geschah bei ${site} am ${time}.`,
  notYou:
    'Falls du das nicht warst, setze mit „Passwort vergessen?“ auf der Anmeldeseite ein neues Passwort. Damit wirst du überall abgemeldet, alle API-Schlüssel werden widerrufen, und Passkeys und die Zwei-Faktor-Authentifizierung, die in den letzten 7 Tagen hinzukamen, werden entfernt.',
  oldAddress: 'Falls du das nicht warst, wende dich an die Verwaltung der Website.',
  reason: (site) => `Du bekommst diese E-Mail, weil deine Adresse bei ${site} eingegeben wurde.`,
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
