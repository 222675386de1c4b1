import { type Account } from '../../src/core/account.ts'

/** An account that is in no database: a master with few rights, unless said otherwise. */
export function anAccount(change: Partial<Account> = {}): Account {
  const username = change.username ?? 'ann'
  return {
    id: `id of ${username}`,
    username,
    masterId: null,
    limits: {
      maxSources: 2,
      maxOutputs: 2,
      maxAttachedOutputs: 2,
      maxProcesses: 2,
      maxHlsStreams: 2,
      maxWebrtcSessions: 2,
      maxReaders: 2,
      maxVideoUploadSizeBytes: 1_000,
      totalStorageSizeBytes: 2_000,
    },
    features: {
      trackLogger: false,
      enhancement: false,
      processRecording: false,
      recordingRetentionDays: 7,
      trackRetentionDays: 14,
      alertRetentionDays: 30,
    },
    expirationDate: null,
    createdAt: 0,
    ...change,
  }
}
