import { type ContactChannel, type ContactType } from '../../core/contact.ts'
import { type InputError } from '../../core/errors.ts'
import { type ContactKind } from './contact-kind.ts'
import { email } from './email.ts'
import { MASK } from './mask.ts'
import { ntfy } from './ntfy.ts'
import { telegram } from './telegram.ts'
import { webpush } from './webpush.ts'

/** All types of contacts, in the order in which they are listed. A new one is a file of its own and a line here. */
export const contactKinds = [email, ntfy, telegram, webpush] as const satisfies readonly ContactKind[]

type Fields = Readonly<Record<string, unknown>>

const byType = new Map<ContactType, ContactKind>(contactKinds.map((kind) => [kind.type, kind as ContactKind]))

export function kindOf({ type }: { readonly type: ContactType }): ContactKind {
  return byType.get(type)!
}

/** As it is shown: without passwords and tokens. */
export function maskConfig({ type, config }: ContactChannel): Fields {
  const { secrets } = kindOf({ type })
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, secrets.includes(name) ? MASK : value]),
  )
}

/**
 * A client that reads a contact, changes it and sends it back sends the mask where a secret was: it stays what it was, unless it would go
 * somewhere else then. Whoever has a key must not be able to have a secret sent to itself that it cannot read.
 */
export function withKeptSecrets(kind: ContactKind, sent: Fields, known: Fields): Fields {
  const isSame = kind.secretsAreFor.every((name) => sent[name] === known[name])
  const kept = kind.secrets.filter((name) => isSame && sent[name] === MASK && known[name] !== undefined)
  return { ...sent, ...Object.fromEntries(kept.map((name) => [name, known[name]])) }
}

/** Of masks that stand for nothing. */
export function maskErrors(kind: ContactKind, config: Fields): InputError[] {
  const message = `has a mask where the secret belongs; write the secret again, as it is kept only where ${kind.secretsAreFor.join(', ')} stay what they are`
  return kind.secrets.filter((name) => config[name] === MASK).map((name) => ({ path: `body.config.${name}`, message }))
}
