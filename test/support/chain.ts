/**
 * A real EVM chain on 127.0.0.1 (anvil) with a stablecoin and another token, behind a proxy that can simulate
 * outages.
 */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Address, Hex } from 'viem'
import {
  createTestClient,
  encodeAbiParameters,
  encodeFunctionData,
  http,
  parseAbi,
  publicActions,
  walletActions,
} from 'viem'
import { foundry } from 'viem/chains'
import { anvilBinary } from './native-packages.ts'
import { startProvider } from './payment-providers.ts'
import { endWithUs } from './service-process.ts'
import { stableCoinBytecode } from './stable-coin/bytecode.ts'

export type Chain = Awaited<ReturnType<typeof startChain>>

/** The controls of the chain that tests use; viem exports no named type for such a client. */
type ChainControls = {
  snapshot(): Promise<Hex>
  revert(to: { id: Hex }): Promise<void>
  setAutomine(isOn: boolean): Promise<void>
  request(call: never): Promise<unknown>
}

export const rpcKey = 'rpc-key-8c1f0e'

const supply = 1_000_000_000_000n
const abi = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferEach(address[] to, uint256[] values)',
])

export async function startChain() {
  const { child, url } = await startAnvil()
  const client = createTestClient({ mode: 'anvil', chain: foundry, transport: http(url) })
    .extend(publicActions)
    .extend(walletActions)
  const controls: ChainControls = client
  const [payer, recipient, stranger] = (await client.getAddresses()) as [Address, Address, Address]
  const token = await deploy()
  const otherToken = await deploy()
  const door = await startProvider(async ({ body }) => ({
    status: 200,
    body: await (
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json(),
  }))

  async function deploy(): Promise<Address> {
    const data = `${stableCoinBytecode}${encodeAbiParameters([{ type: 'uint256' }], [supply]).slice(2)}`
    const hash = await client.sendTransaction({ account: payer, to: null, data: data as Hex })
    const { contractAddress } = await client.waitForTransactionReceipt({ hash })
    if (!contractAddress) throw new Error('the token was not deployed')
    return contractAddress
  }

  /** Sends a transaction without a check of its outcome; it is mined at once. */
  async function send(to: Address, data: Hex): Promise<Hex> {
    return client.sendTransaction({ account: payer, to, data, gas: 500_000n })
  }

  return {
    client: controls,
    token,
    otherToken,
    recipient,
    stranger,
    door,
    settings: {
      WEB3_RPC_URL: `${door.url}/v2/${rpcKey}`,
      WEB3_CHAIN_ID: String(foundry.id),
      WEB3_TOKEN: token,
      WEB3_RECIPIENT: recipient,
    },
    transfer: (amount: bigint, change: { token?: Address; to?: Address } = {}) =>
      send(
        change.token ?? token,
        encodeFunctionData({
          abi,
          functionName: 'transfer',
          args: [change.to ?? recipient, amount],
        }),
      ),
    /** Sends several transfers to the recipient in one transaction. */
    transferEach: (amounts: readonly bigint[]) =>
      send(
        token,
        encodeFunctionData({
          abi,
          functionName: 'transferEach',
          args: [amounts.map(() => recipient), amounts],
        }),
      ),
    mine: (blocks: number) => client.mine({ blocks }),
    async close() {
      await door.close()
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/** Starts anvil on port 0: the system chooses the port and anvil prints it. */
async function startAnvil(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(anvilBinary(), ['--host', '127.0.0.1', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.pid !== undefined) endWithUs(child.pid, once(child, 'exit'))
  const lines = createInterface({ input: child.stdout })
  // Read all lines, so that anvil never blocks on a full pipe.
  const place = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const [, place] = /^Listening on (\S+)/.exec(line) ?? []
      if (place) resolve(place)
    })
    child.once('exit', () => reject(new Error('anvil did not start')))
  })
  return { child, url: `http://${place}` }
}
