import { type Migration } from 'kysely'
import * as accounts from './0001-accounts.ts'
import * as jobs from './0002-jobs.ts'
import * as sources from './0003-sources.ts'
import * as processes from './0004-processes.ts'
import * as outputs from './0005-outputs.ts'
import * as reports from './0006-reports.ts'
import * as alerts from './0007-alerts.ts'
import * as delivery from './0008-delivery.ts'
import * as webhooks from './0009-webhooks.ts'
import * as sessions from './0010-sessions.ts'
import * as reportDrafts from './0011-report-drafts.ts'
import * as alertProgress from './0012-alert-progress.ts'
import * as reportPictures from './0013-report-pictures.ts'
import * as streamLimits from './0014-stream-limits.ts'
import * as mastersAndMeters from './0015-masters-and-meters.ts'
import * as diskShares from './0016-disk-shares.ts'
import * as deliverySpacing from './0017-delivery-spacing.ts'
import * as spacingOfWaiting from './0018-spacing-of-waiting.ts'
import * as purgedKeys from './0019-purged-keys.ts'
import * as readerLimit from './0020-reader-limit.ts'
import * as removedJob from './0021-removed-job.ts'
import * as alertSources from './0022-alert-sources.ts'
import * as trackSearch from './0023-track-search.ts'
import * as unlimitedKeys from './0024-unlimited-keys.ts'
import * as pulledSources from './0025-pulled-sources.ts'
import * as recordingGaps from './0026-recording-gaps.ts'
import * as nodes from './0027-nodes.ts'
import * as objectStore from './0028-object-store.ts'
import * as recordedTime from './0029-recorded-time.ts'
import * as consoleState from './0030-console-state.ts'

/** Every change of the tables since the first, in order. One that has been released is never edited: the next one mends it. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts': accounts,
  '0002-jobs': jobs,
  '0003-sources': sources,
  '0004-processes': processes,
  '0005-outputs': outputs,
  '0006-reports': reports,
  '0007-alerts': alerts,
  '0008-delivery': delivery,
  '0009-webhooks': webhooks,
  '0010-sessions': sessions,
  '0011-report-drafts': reportDrafts,
  '0012-alert-progress': alertProgress,
  '0013-report-pictures': reportPictures,
  '0014-stream-limits': streamLimits,
  '0015-masters-and-meters': mastersAndMeters,
  '0016-disk-shares': diskShares,
  '0017-delivery-spacing': deliverySpacing,
  '0018-spacing-of-waiting': spacingOfWaiting,
  '0019-purged-keys': purgedKeys,
  '0020-reader-limit': readerLimit,
  '0021-removed-job': removedJob,
  '0022-alert-sources': alertSources,
  '0023-track-search': trackSearch,
  '0024-unlimited-keys': unlimitedKeys,
  '0025-pulled-sources': pulledSources,
  '0026-recording-gaps': recordingGaps,
  '0027-nodes': nodes,
  '0028-object-store': objectStore,
  '0029-recorded-time': recordedTime,
  '0030-console-state': consoleState,
}
