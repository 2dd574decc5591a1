/** Password hashes: Argon2id with the parameters that OWASP names for it. */
import { hash, verify } from '@node-rs/argon2'

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Of a password that nobody has: an unknown e-mail costs as much time as a wrong password.
const nobodysHash = await hash('no account has this password', cost)

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const matches = await verify(kept ?? nobodysHash, password)
  return matches && kept !== null
}
