import { type Account } from '../core/account.ts'
import { type Clock, toZulu } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { rounded } from '../core/numbers.ts'
import { type Stretch } from '../core/recorded-time.ts'
import { type TimeRange } from '../core/request-fields.ts'
import { type DetectionReader } from './detection-reader.ts'
import { type DetectionRecorder } from './detection-recorder.ts'
import { type ListedState, type ListedStates, type ProcessStateStore } from './process-states.store.ts'
import { toRecordedLine } from './recorded-line.ts'
import { type Grid, toGrid } from './steps.ts'
import { type Timeline } from './timeline.schema.ts'
import { type TimelineStore } from './timeline.store.ts'
import { type ClassCount, countLooks, countMinutes } from './track-counts.ts'

export interface TimelineServiceDeps {
  readonly store: TimelineStore
  readonly states: Pick<ProcessStateStore, 'list'>
  readonly reader: Pick<DetectionReader, 'read'>
  readonly recorder: Pick<DetectionRecorder, 'flush'>
  readonly sources: { find(accountId: string, id: string): Promise<{ readonly alias: string } | undefined> }
  readonly clock: Pick<Clock, 'now'>
}

export interface TimelineRequest {
  readonly sourceId: string
  readonly processId: string | undefined
  readonly range: TimeRange
  readonly stepSeconds: number | undefined
  /** Of what it may ask: one of both at least. */
  readonly mayWatch: boolean
  readonly mayReadEvents: boolean
  /** Nobody waits for it any more. */
  readonly signal: AbortSignal
}

type Asked = Pick<TimelineRequest, 'sourceId' | 'processId' | 'signal'>

export interface FoundTimeline {
  readonly timeline: Timeline
  /** Nodes that could not be asked for what they have of it. */
  readonly missingNodes: readonly string[]
}

export type TimelineService = ReturnType<typeof createTimelineService>

const MINUTE_MS = 60_000
const MAX_STRETCHES = 1_000
const MAX_EVENTS = 100
const MAX_PROCESSES = 50
const MAX_CHANGES = 500

export function createTimelineService(deps: TimelineServiceDeps) {
  const { store, states, reader, recorder, sources, clock } = deps

  async function recordedOf(sourceId: string, grid: Grid) {
    const files = await store.listRecorded(sourceId, grid, clock.now())
    const whole = toRecordedLine(files, grid, 0)
    // Of a stream that broke off all the time, what can be seen in a drawing.
    const isTooMuch = whole.recorded.length > MAX_STRETCHES
    const { recorded, gaps, recordedMs } = isTooMuch ? toRecordedLine(files, grid, grid.stepMs / 2) : whole
    const toPlace = ({ from, to }: Stretch): [number, number] => [toSeconds(from - grid.from), toSeconds(to - from)]
    return { recorded: recorded.map(toPlace), recorded_seconds: toSeconds(recordedMs), gaps: gaps.map(toPlace) }
  }

  async function countTracks({ sourceId, processId, signal }: Asked, grid: Grid) {
    if (grid.stepMs < MINUTE_MS) {
      const { looks, missingNodes } = await reader.read({ sourceId, processId, stretch: grid, signal })
      return { classes: await countLooks(looks, grid), missingNodes }
    }
    // What waits in memory here.
    await recorder.flush({ sourceId })
    return { classes: countMinutes(await store.listMinutes({ sourceId, processId }, grid), grid), missingNodes: [] }
  }

  async function alertsOf(asked: Asked, grid: Grid): Promise<Timeline['alerts']> {
    const [byStep, events] = await Promise.all([
      store.countAlertEvents(asked, grid),
      store.listAlertEvents(asked, grid, MAX_EVENTS),
    ])
    return {
      count: [...byStep.values()].reduce((sum, count) => sum + count, 0),
      counts: Array.from({ length: grid.steps }, (_, step) => byStep.get(step) ?? 0),
      events: events.map(({ id, alert_id, alias, type, event, at, process_id }) => ({
        event_uuid: id,
        alert_uuid: alert_id,
        alias,
        type,
        event,
        at: toZulu(at),
        process_uuid: process_id,
      })),
    }
  }

  async function eventsOf(asked: Asked, grid: Grid) {
    const [{ classes, missingNodes }, alerts, changes] = await Promise.all([
      countTracks(asked, grid),
      alertsOf(asked, grid),
      states.list(asked, grid, MAX_CHANGES),
    ])
    return { classes: classes.map(toClass), alerts, processes: toProcesses(changes, grid.from), missingNodes }
  }

  return {
    async open(owner: Account, request: TimelineRequest): Promise<FoundTimeline> {
      const { sourceId, range, stepSeconds, mayWatch, mayReadEvents } = request
      const grid = toGrid(range, stepSeconds, clock.now())
      const source = await sources.find(owner.id, sourceId)
      if (!source) throw new AppError('source-not-found', { source_uuid: sourceId })
      const [seen, { missingNodes, ...happened }] = await Promise.all([
        mayWatch ? recordedOf(sourceId, grid) : NOT_TO_WATCH,
        mayReadEvents ? eventsOf(request, grid) : NO_EVENTS,
      ])
      const timeline = {
        source_uuid: sourceId,
        alias: source.alias,
        from: toZulu(grid.from),
        to: toZulu(grid.to),
        step_seconds: grid.stepMs / 1000,
        ...seen,
        ...happened,
      }
      return { timeline, missingNodes }
    },
  }
}

const NOT_TO_WATCH = { recorded: null, recorded_seconds: null, gaps: null }
const NO_EVENTS = { classes: null, alerts: null, processes: null, missingNodes: [] }

const toSeconds = (ms: number) => rounded(ms / 1000, 3)

const toClass = ({ className, tracks, counts }: ClassCount) => ({ class_name: className, tracks, counts: [...counts] })

/** Those that changed last come last, as the changes of each do. */
function toProcesses({ before, within }: ListedStates, from: number): NonNullable<Timeline['processes']> {
  const byProcess = new Map<string, [since: number, state: ListedState['state']][]>()
  for (const { process_id: id, state } of before) byProcess.set(id, [[0, state]])
  for (const { process_id: id, at, state } of within) {
    const earlier = byProcess.get(id) ?? []
    byProcess.delete(id)
    byProcess.set(id, [...earlier, [toSeconds(at - from), state]])
  }
  return [...byProcess].slice(-MAX_PROCESSES).map(([processId, states]) => ({ process_uuid: processId, states }))
}
