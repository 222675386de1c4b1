import { z } from 'zod'

/** What a node requests of another about streams. */
export const RelayCommand = z.discriminatedUnion('type', [
  /** Publish this path of yours here, where it is a relay: we cannot reach you. */
  z.object({ type: z.literal('push'), path: z.string().max(200), url: z.string().max(2_000) }),
  /** Somebody here waits for this camera of yours: keep it connected for a while. */
  z.object({ type: z.literal('hold'), path: z.string().max(200) }),
  /** We have taken this path over from you: read whose it is. */
  z.object({ type: z.literal('settle-path'), path: z.string().max(200) }),
])
export type RelayCommand = z.infer<typeof RelayCommand>

export const RelayAnswer = z.union([
  z.object({ ok: z.literal(true) }),
  /** It is not done, and why. */
  z.object({ ok: z.literal(false), sentence: z.string() }),
])
export type RelayAnswer = z.infer<typeof RelayAnswer>
