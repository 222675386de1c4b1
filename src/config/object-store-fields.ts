import { z } from 'zod'
import { parseBucketAddress } from '../core/object-store-config.ts'

/** As object stores issue them, with slashes and plus signs. */
const CREDENTIAL = /^[\x21-\x7e]{3,256}$/
const CREDENTIAL_WORDS = 'as the object store has issued it: 3 to 256 letters, digits and signs without spaces'

/** The settings of the bucket where files are kept beside the disk. */
export const objectStoreFields = {
  AERIE_OBJECT_STORE_URL: z
    .string()
    .refine(
      (text) => parseBucketAddress(text) !== undefined,
      'an address such as https://s3.example.org/bucket or https://s3.example.org/bucket/prefix, without user, password and parameters',
    )
    .optional()
    .describe(
      'Bucket of an object store (S3) that keeps recordings, processed video, pictures of tracks and uploads beside the disk, e.g. https://s3.example.org/bucket or https://s3.example.org/bucket/prefix; docs/object-store.md says more. Default: none.',
    ),
  AERIE_OBJECT_STORE_REGION: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'a region such as eu-central-1')
    .default('us-east-1')
    .describe('Region of that bucket, as its provider calls it.'),
  AERIE_OBJECT_STORE_KEY: z
    .string()
    .regex(CREDENTIAL, CREDENTIAL_WORDS)
    .optional()
    .describe('Access key of the object store.'),
  AERIE_OBJECT_STORE_SECRET: z
    .string()
    .regex(CREDENTIAL, CREDENTIAL_WORDS)
    .optional()
    .describe('The secret that belongs to it.'),
  AERIE_OBJECT_STORE_LINKS: z
    .enum(['proxied', 'presigned'])
    .default('proxied')
    .describe(
      'How clients get what is in the object store only: proxied through this service, or presigned: they are sent to the store with a link that works for a few minutes, so they must be able to reach it.',
    ),
  AERIE_OBJECT_STORE_KEEP_LOCAL: z.coerce
    .number()
    .min(0)
    .max(87_600)
    .default(24)
    .describe(
      'Hours for which files stay on the disk too once they are in the object store; 0 means that they leave it at once. Without room they leave it earlier.',
    ),
}
