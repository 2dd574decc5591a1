/**
 * The endpoints that no page calls, and their callers. The web client is built without them, and a test
 * compares the list with the calls of the pages.
 */
export const notForPages: Readonly<Record<string, string>> = {
  'accounts.devSignIn': 'people who work on the service, by its address',
  'accounts.signOutByLink': 'links from elsewhere',
  'accounts.resetOnboarding': 'programs; the account page changes the answers themselves',
  'captions.prewarm': 'programs; the player asks for each caption in time',
  'credits.balance': 'programs; the pages know the account with its plan',
  'operations.docs': 'people who write programs, by its address',
  'operations.metrics': 'whatever watches the service',
  'operations.openapi': 'programs',
  'payments.gatewayCallback': 'the payment gateway',
  'payments.telegramWebhook': 'Telegram',
  'sessions.updateMedia': 'programs; the editor saves all slides at once',
  'sharing.oembed': 'other sites',
  'vault.removeByPath': 'programs that know files by their paths',
  'vault.shareByPath': 'programs that know files by their paths',
}
