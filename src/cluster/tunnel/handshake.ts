import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { type TunnelClient } from '../../core/tunnel.ts'
import { openMessage, sealMessage } from '../sealed-message.ts'

/**
 * How a tunnel begins: one request over NATS and its answer. Each says where its sender wants the frames, and proves that it knows the
 * service's secret: nobody else may open a tunnel, nor be given what goes through one. The request is sealed too, since it says who the
 * client is.
 */
const Id = z.string().regex(/^[\w-]{22}$/)
const Proof = z.string().max(64)

const Connect = z.object({
  v: z.literal(1),
  from: z.string().min(1).max(255),
  tunnel: Id,
  address: z.string().max(64),
  encrypted: z.boolean(),
})

const Accept = z.object({ tunnel: Id, proof: Proof })
const Refusal = z.object({ refused: z.enum(['stranger', 'full', 'closed', 'malformed']) })
const Answer = z.union([Accept, Refusal])

export type ConnectMessage = z.infer<typeof Connect>
export type RefusalReason = z.infer<typeof Refusal>['refused']

/** Names an end of a tunnel: its address on NATS, and what is random in its keys. */
export const newTunnelId = () => randomBytes(16).toString('base64url')

export function encodeConnect(
  secret: string,
  request: { readonly from: string; readonly to: string; readonly tunnel: string; readonly client: TunnelClient },
): Buffer {
  const { from, to, tunnel, client } = request
  const message: ConnectMessage = { v: 1, from, tunnel, address: client.address, encrypted: client.isEncrypted }
  return sealMessage(secret, connectPurpose(to), message)
}

/** What is requested; or why it is refused. */
export function readConnect(secret: string, nodeId: string, data: Uint8Array): ConnectMessage | RefusalReason {
  const opened = openMessage(secret, connectPurpose(nodeId), data)
  return opened === undefined ? 'stranger' : (Connect.safeParse(opened).data ?? 'malformed')
}

/** Sent to another node, it is none. */
const connectPurpose = (to: string) => `tunnel to ${to}`

export function encodeAccept(secret: string, theirs: string, ours: string): Buffer {
  return encode({ tunnel: ours, proof: acceptProof(secret, theirs, ours) })
}

export const encodeRefusal = (refused: RefusalReason): Buffer => encode({ refused })

/** The other end's id; throws with the reason when there will be no tunnel. */
export function readAnswer(secret: string, ours: string, data: Uint8Array): string {
  const { data: answer } = Answer.safeParse(decode(data))
  if (!answer) throw new Error('its answer could not be understood.')
  if ('refused' in answer) throw new Error(refusals[answer.refused])
  if (!isProof(answer.proof, acceptProof(secret, ours, answer.tunnel)))
    throw new Error('somebody answered who does not know the secret of this service.')
  return answer.tunnel
}

/** What the keys of a tunnel are made of, beside the secret. */
export const saltOf = (opener: string, acceptor: string) => `${opener} ${acceptor}`

const refusals: Readonly<Record<RefusalReason, string>> = {
  stranger: 'it has another secret: it belongs to another service, or to another database.',
  full: 'it has as many connections from other nodes as it may.',
  closed: 'it is stopping.',
  malformed: 'it did not understand: it may have another version.',
}

function acceptProof(secret: string, opener: string, acceptor: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['aerie tunnel', 'accept', opener, acceptor]))
    .digest('base64url')
}

function isProof(given: string, wanted: string): boolean {
  const [shown, own] = [Buffer.from(given), Buffer.from(wanted)]
  return shown.length === own.length && timingSafeEqual(shown, own)
}

const encode = (message: object) => Buffer.from(JSON.stringify(message))

function decode(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString())
  } catch {
    return undefined
  }
}
