/** The settings for the payment methods. */
import {
  patternSetting,
  textSetting,
  urlSetting,
  webSchemes,
  wholeNumberSetting,
} from './setting.ts'

const address = /^0x[0-9a-fA-F]{40}$/

export const paymentSettings = {
  nowpaymentsApiKey: textSetting('NOWPAYMENTS_API_KEY', {
    meaning: "the API key for payments with 'crypto'; needs NOWPAYMENTS_IPN_SECRET",
  }),
  nowpaymentsIpnSecret: textSetting('NOWPAYMENTS_IPN_SECRET', {
    meaning: 'verifies the callbacks of NOWPayments',
  }),
  nowpaymentsUrl: urlSetting('NOWPAYMENTS_URL', webSchemes, {
    fallback: 'the public server',
    meaning: 'the API of NOWPayments',
  }),
  telegramBotToken: textSetting('TELEGRAM_BOT_TOKEN', {
    meaning: "the bot for payments with 'telegram_stars'; needs TELEGRAM_WEBHOOK_SECRET",
  }),
  telegramWebhookSecret: patternSetting(
    'TELEGRAM_WEBHOOK_SECRET',
    /^[A-Za-z0-9_-]{1,256}$/,
    'must be 1 to 256 of A-Z a-z 0-9 _ -',
    { meaning: 'the secret_token passed to setWebhook for BASE_URL/api/webhooks/telegram' },
  ),
  telegramApiUrl: urlSetting('TELEGRAM_API_URL', webSchemes, {
    fallback: 'the public server',
    meaning: 'the API of Telegram',
  }),
  web3RpcUrl: urlSetting('WEB3_RPC_URL', webSchemes, {
    meaning: "the node for payments with 'web3'; needs the next three settings",
  }),
  web3ChainId: wholeNumberSetting(
    'WEB3_CHAIN_ID',
    { min: 1, max: Number.MAX_SAFE_INTEGER },
    {
      meaning: 'the id of the chain',
    },
  ),
  web3Token: patternSetting('WEB3_TOKEN', address, 'must be an address of 0x and 40 hex digits', {
    meaning: 'the contract address of the ERC-20 stablecoin',
  }),
  web3Recipient: patternSetting(
    'WEB3_RECIPIENT',
    address,
    'must be an address of 0x and 40 hex digits',
    { meaning: 'the address that receives payments' },
  ),
  web3Confirmations: wholeNumberSetting(
    'WEB3_CONFIRMATIONS',
    { min: 1, max: 1000 },
    {
      fallback: '3',
      meaning: 'confirmations before a transfer counts',
    },
  ),
}
