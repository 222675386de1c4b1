import { readFileSync } from 'node:fs'
import {
  type Authenticator,
  credsAuthenticator,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/nats-core'
import { type NatsAddress } from '../core/nats-address.ts'

/**
 * As whom we connect: by the file of credentials (`nsc`'s `.creds`, or the seed of an nkey), or else by what the address says. The file
 * is read for each connection, so that a renewed one counts; one that cannot be used lets the server refuse us, and the next try read it again.
 */
export function createIdentity(
  address: NatsAddress,
  file: string | undefined,
  onRead: (problem: string | undefined) => void,
): Authenticator {
  const { user, password, token } = address
  if (file === undefined) {
    if (token !== undefined) return tokenAuthenticator(token)
    return user === undefined ? () => undefined : usernamePasswordAuthenticator(user, password)
  }
  return (nonce) => {
    try {
      const content = readFileSync(file)
      const isSeed = content.subarray(0, 2).toString() === 'SU'
      const identity = isSeed ? nkeyAuthenticator(trimmed(content))(nonce) : credsAuthenticator(content)(nonce)
      onRead(undefined)
      return identity
    } catch (error) {
      // The reader's own words may quote what it has read.
      const { code } = error as NodeJS.ErrnoException
      onRead(
        code?.startsWith('E')
          ? `The credentials for NATS in ${file} cannot be read: ${code}.`
          : `${file} holds no credentials for NATS; it should be a .creds file, or the seed of an nkey.`,
      )
      return undefined
    }
  }
}

const trimmed = (content: Buffer) => new TextEncoder().encode(content.toString().trim())
