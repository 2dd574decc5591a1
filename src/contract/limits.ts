/**
 * The names of the rate limits, so that an endpoint can say which one it falls under. The numbers
 * are settings, and the rules of counting live on the server.
 */

export const limitPolicies = [
  'public',
  'captions',
  'feed',
  'auth',
  'import',
  'callback',
  'payment',
  'webhook',
  'admin',
  'report',
  'upload',
  'share_password',
  'mail',
  'room',
] as const

export type PolicyName = (typeof limitPolicies)[number]

/** With a bucket name the endpoint draws on tokens of its own, under the same numbers. */
export type EndpointLimit = { readonly policy: PolicyName; readonly bucket?: string | undefined }
