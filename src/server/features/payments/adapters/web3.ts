/** Reads an EVM chain through a JSON-RPC node: transfers of one ERC-20 token to one recipient. */
import type * as Viem from 'viem'
import type { Hex } from 'viem'
import type { Chain, Examined, Transfer } from '../payment-method.ts'
import { ProviderUnavailable } from '../payment-method.ts'
import type { Fetch } from './ask-provider.ts'

export type Web3Settings = {
  readonly rpcUrl: string
  readonly chainId: number
  readonly token: string
  readonly recipient: string
  readonly confirmations: number
}

const timeoutMs = 10_000

// Public nodes refuse longer ranges.
const blocksAtOnce = 1000

// Each payment adds a unique tail to its price, by which its transfer is recognised. Tails are below one
// cent, so a buyer never pays a cent more than the price.
const minDecimals = 4
const maxTails = 99_999n

export function createWeb3(settings: Web3Settings, { fetch }: { fetch: Fetch }): Chain {
  const token = settings.token.toLowerCase() as Hex
  const recipient = settings.recipient.toLowerCase() as Hex
  let connecting: Promise<Connection> | null = null

  /** Replaces errors of the library, because they contain the URL, often with a key. */
  async function ask<T>(question: (connection: Connection) => Promise<T>): Promise<T> {
    connecting ??= connect(settings, token, fetch)
    try {
      return await question(await connecting)
    } catch (error) {
      if (error instanceof ProviderUnavailable) throw error
      throw new ProviderUnavailable('The blockchain cannot be read')
    } finally {
      // A failed connection is tried again by the next call.
      await connecting.catch(() => (connecting = null))
    }
  }

  const findHead = () =>
    ask(async ({ client }) => Number(await client.getBlockNumber({ cacheTime: 0 })))

  return {
    destination: { chainId: settings.chainId, token, recipient },
    confirmations: settings.confirmations,
    blocksAtOnce,
    findHead,
    begin: ({ priceCents }) =>
      ask(async ({ decimals }) => {
        const cent = 10n ** BigInt(decimals - 2)
        const price = BigInt(priceCents) * cent
        const tails = cent - 1n < maxTails ? cent - 1n : maxTails
        return { minAmount: price + 1n, maxAmount: price + tails, head: await findHead() }
      }),
    examine: (txHash) =>
      ask(async ({ client, viem }): Promise<Examined> => {
        try {
          const receipt = await client.getTransactionReceipt({ hash: txHash as Hex })
          if (receipt.status !== 'success') return { kind: 'reverted' }
          const moved = viem
            .parseEventLogs({ abi: viem.erc20Abi, eventName: 'Transfer', logs: receipt.logs })
            .filter(({ address, args }) => isSame(address, token) && isSame(args.to, recipient))
          const amounts = moved.map(({ args }) => args.value)
          return { kind: 'mined', block: Number(receipt.blockNumber), amounts }
        } catch (error) {
          if (error instanceof viem.TransactionReceiptNotFoundError) return { kind: 'unknown' }
          throw error
        }
      }),
    findTransfers: ({ from, to }) =>
      ask(async ({ client, viem }): Promise<Transfer[]> => {
        const logs = await client.getLogs({
          address: token,
          event: viem.getAbiItem({ abi: viem.erc20Abi, name: 'Transfer' }),
          args: { to: recipient },
          fromBlock: BigInt(from),
          toBlock: BigInt(to),
          strict: true,
        })
        return logs.map(({ transactionHash, blockNumber, args }) => ({
          txHash: transactionHash,
          block: Number(blockNumber),
          amount: args.value,
        }))
      }),
  }
}

type Connection = {
  readonly viem: typeof Viem
  readonly client: ReturnType<typeof createClient>
  readonly decimals: number
}

/** Imports the library with the first payment that needs it, because that takes a fifth of a second. */
async function connect(settings: Web3Settings, token: Hex, fetch: Fetch): Promise<Connection> {
  const viem = await import('viem')
  const client = createClient(viem, settings, fetch)
  if ((await client.getChainId()) !== settings.chainId)
    throw new ProviderUnavailable('WEB3_RPC_URL is a node of a chain other than WEB3_CHAIN_ID')
  const decimals = await client.readContract({
    address: token,
    abi: viem.erc20Abi,
    functionName: 'decimals',
  })
  if (decimals < minDecimals)
    throw new ProviderUnavailable('WEB3_TOKEN has too few decimals to tell payments apart')
  return { viem, client, decimals }
}

function createClient(viem: typeof Viem, settings: Web3Settings, fetch: Fetch) {
  const transport = viem.http(settings.rpcUrl, {
    fetchFn: fetch,
    fetchOptions: { redirect: 'error' },
    retryCount: 1,
    timeout: timeoutMs,
  })
  return viem.createPublicClient({ transport })
}

function isSame(address: string, other: string): boolean {
  return address.toLowerCase() === other
}
