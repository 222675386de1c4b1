import {
  type AlertEventRow,
  type ClipRow,
  type ContactDeviceRow,
  type ContactRow,
  type DetectionFileRow,
  type ProcessStateChangeRow,
  type SourceRightRow,
} from '../../src/storage/schema.ts'

/** Rows of what is kept of streams and of whom it is sent to, each with the ids of others that the test has. */

const ref = { account_id: 'bob', source_id: 'cam', process_id: 'p' }

export function aDetectionFileRow(change: Partial<DetectionFileRow> = {}): DetectionFileRow {
  const id = change.id ?? 'looks'
  return {
    ...ref,
    id,
    node_id: null,
    file: `detections/${change.source_id ?? ref.source_id}/${id}.looks`,
    started_at: 1_000,
    ended_at: 2_000,
    is_open: 0,
    looks: 5,
    size_bytes: 300,
    minutes: '{"classes":["person"],"m":{"0":[3,1]}}',
    ...change,
  }
}

export function aProcessStateChangeRow(change: Partial<ProcessStateChangeRow> = {}): ProcessStateChangeRow {
  return { ...ref, at: 1_000, state: 'running', reason: null, ...change }
}

export function anAlertEventRow(change: Partial<AlertEventRow> = {}): AlertEventRow {
  const at = change.at ?? 1_500
  return {
    ...ref,
    id: 'event',
    alert_id: 'alert',
    alias: 'fence',
    type: 'filter-search',
    event: 'found',
    at,
    started_at: at,
    sequence: 1,
    data: '{}',
    file: null,
    size_bytes: 0,
    classes: null,
    ...change,
  }
}

export function aClipRow(change: Partial<ClipRow> = {}): ClipRow {
  return {
    account_id: ref.account_id,
    source_id: ref.source_id,
    id: 'clip',
    process_id: null,
    track_id: null,
    event_id: null,
    alias: 'the gate',
    kind: 'user',
    unique_key: null,
    from_at: 1_000,
    to_at: 61_000,
    with_boxes: 0,
    state: 'ready',
    progress: 100,
    error: null,
    note: null,
    parts: '[]',
    gaps: '[]',
    size_bytes: 1_000,
    node_id: null,
    attempts: 1,
    created_at: 70_000,
    started_at: 70_001,
    finished_at: 70_002,
    used_at: null,
    ...change,
  }
}

export function aContactRow(change: Partial<ContactRow> = {}): ContactRow {
  return {
    id: 'contact',
    account_id: ref.account_id,
    alias: 'phone',
    type: 'webpush',
    config: '{}',
    quiet_hours: null,
    max_per_minute: 6,
    minute_at: null,
    minute_sent: 0,
    last_turn_id: null,
    held: null,
    held_process_id: null,
    last_sent_at: null,
    problem: null,
    created_at: 1,
    ...change,
  }
}

export function aContactDeviceRow(change: Partial<ContactDeviceRow> = {}): ContactDeviceRow {
  const keys = { p256dh: 'p256dh', auth: 'auth' }
  return {
    id: 'device',
    contact_id: 'contact',
    name: 'Firefox',
    endpoint: 'https://push.example.org/1',
    ...keys,
    created_at: 1,
    ...change,
  }
}

export function aSourceRightRow(change: Partial<SourceRightRow> = {}): SourceRightRow {
  return {
    account_id: ref.account_id,
    source_id: ref.source_id,
    rights: '["watch","events"]',
    created_at: 1,
    ...change,
  }
}
