import { type ProcessInfo } from '@aerie/client'

const reasons: Readonly<Record<string, string>> = {
  requested: 'stopped by its user',
  'key-revoked': 'stopped because its key was revoked',
  'key-expired': 'stopped because its key has expired',
  'usage-limit': 'stopped because its key is used up',
  'source-ended': 'finished',
  'source-lost': 'failed: the source was lost',
  'source-not-live': 'failed: the source sent no video',
  'source-unreadable': 'failed: the source could not be read',
  'model-unusable': 'failed: the model could not be used',
  'pipeline-crashed': 'failed: it crashed',
  'service-restart': 'failed: it could not go on after the service’s restart',
}

/** How a process ended, for people. A newer service may have reasons that are not known here: then its state must do. */
export const endOf = ({ state, stop_reason }: Pick<ProcessInfo, 'state' | 'stop_reason'>) =>
  reasons[stop_reason ?? ''] ?? state

/** Those that ended last, the latest first. */
export function latestEnded<P extends Pick<ProcessInfo, 'stopped_at'>>(processes: readonly P[], limit: number): P[] {
  return processes
    .filter(({ stopped_at }) => stopped_at !== null)
    .sort((one, other) => Date.parse(other.stopped_at!) - Date.parse(one.stopped_at!))
    .slice(0, limit)
}
