import { type InputError } from '../core/errors.ts'
import { nearestWord } from '../core/nearest-word.ts'
import { type RecordingChoice, type RecordingMode } from '../core/recording-mode.ts'
import { inputInvalid } from '../core/refusals.ts'

/** What a request says of it: the mode, or whether it is recorded at all, as clients do that know no modes. */
export interface RecordingWish {
  readonly record?: boolean | undefined
  readonly recording_mode?: RecordingMode | undefined
  readonly recording_classes?: readonly string[] | null | undefined
}

export const recordedAlways: RecordingChoice = { recordingMode: 'always', recordingClasses: null }
export const notRecorded: RecordingChoice = { recordingMode: 'off', recordingClasses: null }

/** What is left out stays as it was. Throws where a wish contradicts itself, and of classes that no model knows. */
export function chooseRecording(
  before: RecordingChoice,
  { record, recording_mode: mode, recording_classes: classes }: RecordingWish,
  knownClasses: ReadonlySet<string>,
): RecordingChoice {
  const recordingMode = mode ?? modeBy(record, before.recordingMode)
  const errors: InputError[] = []
  if (mode !== undefined && record !== undefined && record !== (mode !== 'off'))
    errors.push({
      path: 'body.record',
      message: `${record} contradicts the recording_mode ${mode}; send recording_mode alone.`,
    })
  if (classes && recordingMode !== 'events')
    errors.push({
      path: 'body.recording_classes',
      message: `Classes are chosen where recording_mode is events, and it is ${recordingMode}; set it to events, or leave them out.`,
    })
  errors.push(...(classes ?? []).flatMap((name, index) => unknownClass(name, index, knownClasses)))
  if (errors.length > 0) throw inputInvalid(errors)
  if (recordingMode !== 'events') return { recordingMode, recordingClasses: null }
  return {
    recordingMode,
    recordingClasses: classes === undefined ? before.recordingClasses : classes && [...new Set(classes)],
  }
}

function modeBy(record: boolean | undefined, before: RecordingMode): RecordingMode {
  if (record === undefined) return before
  if (!record) return 'off'
  return before === 'off' ? 'always' : before
}

function unknownClass(name: string, index: number, known: ReadonlySet<string>): InputError[] {
  if (known.has(name)) return []
  const meant = nearestWord(name, [...known])
  const guess = meant === undefined ? '' : ` Did you mean ${meant}?`
  const message = `No model knows ${name}.${guess} GET /models lists what they know.`
  return [{ path: `body.recording_classes.${index}`, message }]
}
