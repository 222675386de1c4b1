import { toDetectionTrack } from '../../core/detection-track.ts'
import { type FlowControlSetup } from '../alert.ts'
import { type Analysis, type EndReason, type Happening, nothing } from './analysis.ts'
import { type Direction } from './crossing-line.ts'
import { createMatcher } from './filter.ts'
import { createFlowCounter } from './flow-counter.ts'
import { createWatchedLine } from './flow-line.ts'
import { createHold } from './hold.ts'
import { createSceneTime } from './scene-time.ts'
import { seenIn } from './seen-track.ts'

const FORGET_EVERY_MS = 1_000

/**
 * Counts who crosses lines. With `forbidden` it tells every crossing in that direction, with `max_count` when a line is
 * crossed more often than that within the window and when it no longer is; with neither, every crossing.
 */
export function createFlowControl({ trigger, region, filter, parameters }: FlowControlSetup): Analysis {
  const { window_seconds: windowSeconds, max_count: maxCount, forbidden } = trigger
  const counts = createMatcher({ filter, region })
  const timeOf = createSceneTime()
  const lines = parameters.lines.map((line) => ({
    name: line.name,
    watched: createWatchedLine(line),
    counter: createFlowCounter(windowSeconds * 1000),
    hold: createHold(0),
  }))
  let forgotMs = 0

  const toCounts = () => ({
    window_seconds: windowSeconds,
    lines: lines.map(({ name, counter }) => ({ name, ...counter.toCounts() })),
  })
  const isTold = (direction: Direction) =>
    forbidden === direction || (forbidden === undefined && maxCount === undefined)
  const toEnded = (line: string, reason: EndReason | 'below-max-count'): Happening => ({
    event: 'ended',
    data: { line, reason, ...toCounts() },
  })

  return {
    update(scene) {
      const moment = timeOf(scene.takenAtMs)
      let happenings: Happening[] | undefined
      for (const { counter } of lines) counter.moveTo(moment.nowMs)
      for (const seen of seenIn(scene)) {
        // Without tracking nobody knows who went where.
        if (seen.track.id === 0 || !counts(seen)) continue
        for (const { name, watched, counter } of lines) {
          const direction = watched.pass(seen, scene, moment)
          if (!direction) continue
          counter.add(direction, moment.nowMs)
          if (!isTold(direction)) continue
          const event = forbidden ? 'forbidden' : 'crossed'
          const track = toDetectionTrack(seen.track, scene.frame)
          ;(happenings ??= []).push({ event, data: { line: name, direction, track, ...toCounts() } })
        }
      }
      if (maxCount !== undefined)
        for (const { name, counter, hold } of lines) {
          const change = hold.update(counter.total > maxCount, moment)
          if (change === 'started') (happenings ??= []).push({ event: change, data: { line: name, ...toCounts() } })
          if (change === 'ended') (happenings ??= []).push(toEnded(name, 'below-max-count'))
        }
      if (moment.nowMs - forgotMs >= FORGET_EVERY_MS) {
        forgotMs = moment.nowMs
        for (const { watched } of lines) watched.forget(moment.nowMs)
      }
      return happenings ?? nothing
    },
    get unfinished() {
      return lines.reduce((sum, { hold }) => sum + (hold.isOn ? 1 : 0), 0)
    },
    end: (reason) => lines.flatMap(({ name, hold }) => (hold.isOn ? [toEnded(name, reason)] : [])),
  }
}
