import { z } from 'zod'
import { type Account, isMaster } from '../core/account.ts'
import { toZulu } from '../core/clock.ts'
import { type Balance, forecastMinutes } from '../core/minutes.ts'
import { rounded } from '../core/numbers.ts'
import { type AccountWithBalance } from './accounts.store.ts'
import { expirationDate, RightsSchema } from './rights.ts'

/** The wire's shapes of accounts, keys and minutes, and the way between them and our words. */

const MAX_MINUTES = 100_000_000
const minutes = z.number().min(0).max(MAX_MINUTES)
export const Username = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    'must be 1 to 32 lower-case letters, digits, _ or -; the first a letter or digit',
  )
  .describe('Also the first part of the paths of its streams.')

export const KeyUpdate = RightsSchema.partial()
export type KeyUpdate = z.infer<typeof KeyUpdate>

/** By HTTP, where a key is made with minutes: a caller that wants to change those learns how. */
export const KeyChange = KeyUpdate.extend({
  minutes: z
    .never('Minutes are given by POST /subscription/allocate, with username and minutes; leave them out here.')
    .optional()
    .describe('Not here: `POST /subscription/allocate` gives minutes.'),
})

export const NewKey = z.strictObject({
  username: Username,
  minutes: minutes
    .nullable()
    .default(0)
    .describe(
      'Taken from the minutes that the master has pending; null for a key that is unlimited, as its master is.',
    ),
  ...RightsSchema.omit({ unlimited: true }).partial().shape,
})
export type NewKey = z.infer<typeof NewKey>

export const Allocation = z.strictObject({ username: Username, minutes: minutes.gt(0) })

/** What an unlimited key answers for minutes that it has without end: a hundred years. */
const UNLIMITED_MINUTES = 52_560_000

const Subscription = z.object({
  remaining_minutes: z.number().describe(`${UNLIMITED_MINUTES} (a hundred years) when it is unlimited.`),
  expiration_date: expirationDate,
  pending_to_allocate: z
    .number()
    .describe(`Minutes bought but not yet allocated to a key; ${UNLIMITED_MINUTES} when it is unlimited.`),
  consumed_minutes: z.number(),
  unlimited: z.boolean().describe('Consumption is counted but never stops anything.'),
})

/** With what is known of those for whom something runs. */
const SubscriptionInUse = Subscription.extend({
  lasts_minutes: z
    .number()
    .nullable()
    .describe(
      'How long the minutes last if what runs now goes on; null when nothing runs, or it is unlimited; 0 when there are none left.',
    ),
  minutes_low: z.boolean().describe('They last less than a day, or there are none left.'),
})

export const Key = z
  .object({
    username: z.string(),
    is_master: z.boolean(),
    created_at: z.string(),
    ...RightsSchema.shape,
    subscription: Subscription,
  })
  .describe('Limits, features and expiry are what counts: never more than the master has, whatever the key was given.')

export const CreatedKey = Key.extend({
  key: z.string().describe('The API key. It is shown only here; we keep a hash of it.'),
})

export const RotatedKey = CreatedKey.extend({
  source_tokens: z
    .number()
    .int()
    .describe('How many tokens of its sources still work; `revoke_tokens=true` revokes them with the key.'),
})

export const Login = z.object({
  valid: z.literal(true),
  username: z.string(),
  product: z.string(),
  is_master: z.boolean(),
  expiration_date: expirationDate,
})

const uploadedVideoStorage = z.object({
  max_video_upload_size_bytes: z.number().int(),
  total_storage_size_bytes: z.number().int(),
  used_storage_size_bytes: z.number().int(),
})

export const UserInfo = z.object({
  version: z.string(),
  username: z.string(),
  product: z.string(),
  uploaded_video_storage: uploadedVideoStorage,
  subscription: SubscriptionInUse,
  children_subscription: z
    .array(SubscriptionInUse.extend({ username: z.string() }))
    .optional()
    .describe('One entry per child key; present when there are any.'),
  is_track_logger_enabled: z.boolean(),
})

export const OldInfo = z.object({
  version: z.string(),
  uploaded_video_storage: uploadedVideoStorage,
  subscription: Subscription.omit({ pending_to_allocate: true, unlimited: true }),
  product: z.string(),
})

/** Minutes with two decimals; a small debt shows as nothing left. */
const toMinutes = (seconds: number) => Math.max(0, rounded(seconds / 60, 2))
export const toSeconds = (minutesGiven: number) => Math.round(minutesGiven * 60)

export function toSubscription(account: Account, balance: Balance): z.infer<typeof Subscription> {
  const { isUnlimited, remainingSeconds, pendingSeconds, consumedSeconds } = balance
  return {
    remaining_minutes: isUnlimited ? UNLIMITED_MINUTES : toMinutes(remainingSeconds),
    expiration_date: account.expirationDate,
    pending_to_allocate: isUnlimited ? UNLIMITED_MINUTES : toMinutes(pendingSeconds),
    consumed_minutes: toMinutes(consumedSeconds),
    unlimited: isUnlimited,
  }
}

export function toSubscriptionInUse(
  account: AccountWithBalance,
  runningProcesses: number,
): z.infer<typeof SubscriptionInUse> {
  const { lastsSeconds, isLow } = forecastMinutes(account.balance, runningProcesses)
  return {
    ...toSubscription(account, account.balance),
    lasts_minutes: lastsSeconds === null ? null : toMinutes(lastsSeconds),
    minutes_low: isLow,
  }
}

export function toUploadedVideoStorage({ limits }: Account, usedBytes: number): z.infer<typeof uploadedVideoStorage> {
  return {
    max_video_upload_size_bytes: limits.maxVideoUploadSizeBytes,
    total_storage_size_bytes: limits.totalStorageSizeBytes,
    used_storage_size_bytes: usedBytes,
  }
}

export function toKey(account: AccountWithBalance): z.infer<typeof Key> {
  const { limits, features } = account
  return {
    username: account.username,
    is_master: isMaster(account),
    created_at: toZulu(account.createdAt),
    expiration_date: account.expirationDate,
    max_sources: limits.maxSources,
    max_outputs: limits.maxOutputs,
    max_attached_outputs: limits.maxAttachedOutputs,
    max_processes: limits.maxProcesses,
    max_hls_streams: limits.maxHlsStreams,
    max_webrtc_sessions: limits.maxWebrtcSessions,
    max_readers: limits.maxReaders,
    max_video_upload_size_bytes: limits.maxVideoUploadSizeBytes,
    total_storage_size_bytes: limits.totalStorageSizeBytes,
    track_logger: features.trackLogger,
    enhancement: features.enhancement,
    process_recording: features.processRecording,
    recording_retention_days: features.recordingRetentionDays,
    track_retention_days: features.trackRetentionDays,
    alert_retention_days: features.alertRetentionDays,
    unlimited: account.balance.isUnlimited,
    subscription: toSubscription(account, account.balance),
  }
}
