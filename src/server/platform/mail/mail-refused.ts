/** The mail server has said that it will never take this message. */
export class MailRefused extends Error {}
