/** All routes of payments. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { handleGatewayCallback } from './gateway-callback.ts'
import {
  createPayment,
  listOffers,
  listPayments,
  readPayment,
  refuseWithoutCredits,
} from './payments.ts'
import { handleTelegramUpdate } from './telegram-webhook.ts'
import { submitTransaction } from './transfers.ts'

export const paymentRoutes = [
  route(api.payments.packages, listOffers),
  route(api.payments.create, createPayment, { admitBeforeLimit: refuseWithoutCredits }),
  route(api.payments.list, listPayments),
  route(api.payments.read, readPayment),
  route(api.payments.submitTransaction, submitTransaction),
  route(api.payments.gatewayCallback, handleGatewayCallback),
  route(api.payments.telegramWebhook, handleTelegramUpdate),
]
