import { type FileHandle, open, readFile } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { type PublicKey, createSigningKey, readPublicKey } from '../clips/evidence/signing-key.ts'
import { type VerifiedPackage, verifyPackage } from '../clips/evidence/verify-package.ts'
import { type ByteSource, InvalidPackage } from '../clips/evidence/zip-reader.ts'
import { loadConfig } from '../config/config.ts'
import { serviceSecretFile } from '../storage/secret-files.ts'
import { type Command, parse, say, UsageError } from './command.ts'
import { unreadableFile } from './output.ts'

/** Says whether a package of evidence is as it was when it was signed. Needs no service, and with `--key` nothing of its data either. */
export const verify: Command = {
  usage: 'verify PACKAGE.zip [--key PUBLIC_KEY.pem]',
  summary:
    'Say whether anything in a package of evidence was changed since it was signed. --key names the public key to trust ' +
    '(GET /evidence_key of the service that made it); without it the key of the installation here is, if there is one.',
  async run(args) {
    const { values, positionals } = parse(args, { key: { type: 'string' } })
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new UsageError('name one package')
    const trusted = values.key === undefined ? ownKey() : await namedKey(values.key)
    const handle = await open(file).catch((error: unknown) => Promise.reject(unreadableFile(file, error)))
    try {
      report(file, await verifyPackage(await fileSource(file, handle), trusted), trusted)
    } catch (error) {
      if (!(error instanceof InvalidPackage)) throw error
      throw new Error(`${file} does not verify. ${printable(error.message)}`, { cause: error })
    } finally {
      await handle.close()
    }
  },
}

function report(file: string, { manifest, key, bytes, problems }: VerifiedPackage, trusted?: PublicKey): void {
  if (problems.length > 0)
    throw new Error([`${file} does not verify.`, ...problems.map((one) => printable(one))].join('\n  '))
  const { files, created_at, username, service } = manifest
  say(`Nothing was changed: ${files.length} files (${bytes} bytes) are as they were when they were signed.`)
  const [at, who, product, version] = [created_at, username, service.product, service.version].map((text) =>
    printable(text, MAX_FIELD),
  )
  say(`Made on ${at} for ${who} by ${product} ${version}.`)
  say(`Key: ${key.fingerprint}`)
  if (trusted) return
  say(
    'This was checked with the key in the package itself, so it only proves that nothing was changed since somebody signed it: ' +
      'compare the fingerprint with that of `GET /evidence_key` of the service, or name its public key with --key.',
  )
}

const MAX_SENTENCE = 1_000
const MAX_FIELD = 100

/**
 * Anybody may have made a package, and signed it with a key of their own: what stands in it must not be able to write a line of ours, or to
 * hide one, with what terminals obey.
 */
function printable(text: string, max = MAX_SENTENCE): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')
  return plain.length > max ? `${plain.slice(0, max)}…` : plain
}

async function namedKey(file: string): Promise<PublicKey> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => Promise.reject(unreadableFile(file, error)))
  const key = readPublicKey(text)
  if (!key)
    throw new Error(
      `${file} is not a public key of Ed25519 as PEM; \`GET /evidence_key\` of the service that made the package has it as public_key.`,
    )
  return key
}

/**
 * Of the installation that the settings name. A node of several has its service's secret in the database, and the file of its own is
 * not what signs.
 */
function ownKey(): PublicKey | undefined {
  const { dataDir, cluster } = loadConfig(process.env, 'config.yml')
  const file = serviceSecretFile(dataDir)
  if (cluster || !existsSync(file)) return undefined
  const secret = readFileSync(file, 'utf8').trim()
  return secret === '' ? undefined : createSigningKey(secret)
}

async function fileSource(file: string, handle: FileHandle): Promise<ByteSource> {
  const { size } = await handle.stat()
  return {
    size,
    async read(position, length) {
      const bytes = Buffer.alloc(length)
      for (let done = 0; done < length;) {
        const { bytesRead } = await handle.read(bytes, done, length - done, position + done).catch((error: unknown) => {
          throw unreadableFile(file, error)
        })
        if (bytesRead === 0) throw new InvalidPackage('It became shorter while it was read.')
        done += bytesRead
      }
      return bytes
    },
  }
}
