/**
 * Failures of a sign-in through OIDC. They are in a separate file because only some sites load the OIDC
 * library.
 */

export class OidcRefused extends Error {}

export class OidcUnreachable extends Error {}
