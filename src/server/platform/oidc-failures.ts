/** Failures of a sign-in through OIDC, in their own file: only some sites load the OIDC library. */

export class OidcRefused extends Error {}

export class OidcUnreachable extends Error {}
