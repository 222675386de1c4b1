import { z } from 'zod'

export const FORMAT = 'aerie-evidence-1'

/** What `manifest.json` says: what is in a package, in the order in which it stands there, and who made it. */
export const Manifest = z.object({
  format: z.literal(FORMAT),
  created_at: z.string(),
  service: z.object({ product: z.string(), version: z.string() }),
  key_fingerprint: z.string(),
  /** What somebody called it. */
  alias: z.string().nullable(),
  /** Whose key asked for it. */
  username: z.string(),
  clips: z.array(z.object({ clip_uuid: z.string(), paths: z.array(z.string()) })),
  files: z.array(
    z.object({
      path: z.string(),
      size: z.number().int().min(0),
      sha256: z.string().regex(/^[\da-f]{64}$/),
    }),
  ),
})
export type Manifest = z.infer<typeof Manifest>
export type ManifestFile = Manifest['files'][number]

export const MANIFEST = 'manifest.json'
export const SIGNATURE = 'manifest.sig'
export const PUBLIC_KEY = 'public-key.pem'

/** What stands behind the files that a manifest lists, in this order. */
export const CLOSING = [MANIFEST, SIGNATURE, PUBLIC_KEY] as const
