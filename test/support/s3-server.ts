import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { type ObjectStoreConfig, parseBucketAddress } from '../../src/core/object-store-config.ts'
import { freePort } from './free-port.ts'

/** A real object store, which checks signatures. Its one bucket is there from the start. */
export interface S3Server {
  readonly url: string
  /** How the service is told of it. */
  readonly settings: Record<string, string>
  config(change?: Partial<ObjectStoreConfig>): ObjectStoreConfig
  /** The keys of all objects, in the order of the alphabet. */
  keys(): string[]
  stop(): Promise<void>
  /** On the same port, with what it had. */
  start(): Promise<void>
  /** Stops it, and removes everything. */
  remove(): Promise<void>
}

const BUCKET = 'aerie'
/** Its only account. */
const CREDENTIAL = 'S3RVER'

export async function startS3Server(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'aerie-s3-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/${BUCKET}`
  let server: S3rver | undefined

  async function start(): Promise<void> {
    const options = { address: '127.0.0.1', port, silent: true, directory, configureBuckets: [{ name: BUCKET }] }
    server = new S3rver({ ...options, resetOnClose: false })
    await server.run()
  }

  async function stop(): Promise<void> {
    const stopping = server
    server = undefined
    // Connections that are kept alive would hold it up.
    stopping?.httpServer.closeAllConnections()
    await stopping?.close()
  }

  await start()
  return {
    url,
    settings: {
      AERIE_OBJECT_STORE_URL: url,
      AERIE_OBJECT_STORE_KEY: CREDENTIAL,
      AERIE_OBJECT_STORE_SECRET: CREDENTIAL,
    },
    config: (change = {}) => ({
      ...parseBucketAddress(url)!,
      region: 'us-east-1',
      accessKey: CREDENTIAL,
      secret: CREDENTIAL,
      links: 'proxied',
      keepLocalMs: 0,
      ...change,
    }),
    keys() {
      const folder = join(directory, BUCKET)
      if (!existsSync(folder)) return []
      const suffix = '._S3rver_object'
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(suffix))
        .map((name) => name.slice(0, -suffix.length))
        .sort()
    },
    stop,
    start,
    async remove() {
      await stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
