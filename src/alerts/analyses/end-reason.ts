import { z } from 'zod'

const endReasons = [
  'process-ended',
  'alert-changed',
  'alert-deactivated',
  'source-interrupted',
  'service-stopping',
  'service-restart',
] as const

/** Why something that went on is over although nobody saw it end. */
export type EndReason = (typeof endReasons)[number]

/** The `reason` of an event that ends something: the analysis's own one, or one of those above. */
export const EndReasonOr = (own: string) =>
  z.enum([own, ...endReasons]).describe(`\`${own}\`, or why it is over although nobody saw it end.`)
