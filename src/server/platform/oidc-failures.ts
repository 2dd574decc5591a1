/** How a sign-in through OIDC fails; apart from the provider, whose library only some sites load. */

export class OidcRefused extends Error {}

export class OidcUnreachable extends Error {}
