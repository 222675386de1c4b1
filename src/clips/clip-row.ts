import { type Stretch } from '../core/recorded-time.ts'
import { type ClipRow } from '../storage/schema.ts'
import { type Clip, type ClipPart } from './clip.ts'

export function toRow(clip: Clip): ClipRow {
  return {
    id: clip.id,
    account_id: clip.accountId,
    source_id: clip.sourceId,
    process_id: clip.processId,
    track_id: clip.trackId,
    event_id: clip.eventId,
    alias: clip.alias,
    kind: clip.kind,
    unique_key: clip.uniqueKey,
    from_at: clip.from,
    to_at: clip.to,
    with_boxes: Number(clip.withBoxes),
    state: clip.state,
    progress: clip.progress,
    error: clip.error,
    note: clip.note,
    parts: JSON.stringify(clip.parts),
    gaps: JSON.stringify(clip.gaps),
    size_bytes: clip.sizeBytes,
    node_id: clip.nodeId,
    attempts: clip.attempts,
    created_at: clip.createdAt,
    started_at: clip.startedAt,
    finished_at: clip.finishedAt,
    used_at: clip.usedAt,
  }
}

export function toClip(row: ClipRow): Clip {
  return {
    id: row.id,
    accountId: row.account_id,
    sourceId: row.source_id,
    processId: row.process_id,
    trackId: row.track_id,
    eventId: row.event_id,
    alias: row.alias,
    kind: row.kind,
    uniqueKey: row.unique_key,
    from: row.from_at,
    to: row.to_at,
    withBoxes: row.with_boxes === 1,
    state: row.state,
    progress: row.progress,
    error: row.error,
    note: row.note,
    parts: fromList<ClipPart>(row.parts),
    gaps: fromList<Stretch>(row.gaps),
    sizeBytes: row.size_bytes,
    nodeId: row.node_id,
    attempts: row.attempts,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    usedAt: row.used_at,
  }
}

export const fromList = <T>(text: string) => JSON.parse(text) as readonly T[]
