/** The mail server has refused this message permanently. */
export class MailRefused extends Error {}
