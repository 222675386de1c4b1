import { type ModelRecord, type ProcessInfo, type SourceRecord } from '@aerie/client'
import { useSignal } from '@preact/signals'
import { useAction } from '../action.ts'
import { ask } from '../ask.ts'
import { api } from '../service.ts'
import { focusMain } from '../frame/focus-main.ts'
import { Notice } from '../frame/notice.tsx'
import { StateBadge } from '../frame/state-badge.tsx'
import { waitingWords } from '../live/waiting-words.ts'
import { isOfOthers, may, type SeenSource } from '../rights.ts'
import { connectionWords } from './connection-words.ts'
import { choiceOf, ModelChoice } from './model-choice.tsx'
import { PublishAddress } from './publish-address.tsx'
import { Recordings } from './recordings.tsx'
import { mayStartNow, stateOf } from './source-state.ts'
import { StartProcess } from './start-process.tsx'

export interface SourceCardProps {
  readonly source: SourceRecord
  /** The process that watches it now. */
  readonly process: ProcessInfo | undefined
  readonly onChange: () => Promise<void>
}

/** One source: what it is, how it is, and what can be done with it. */
export function SourceCard({ source, process, onChange }: SourceCardProps) {
  const action = useAction(onChange)
  const { problem, act } = action
  const warning = useSignal('')
  const open = useSignal<'model' | 'publish' | 'recordings' | undefined>(undefined)
  const models = useSignal<readonly ModelRecord[]>([])
  const model = useSignal<ModelRecord | undefined>(undefined)
  const { source_uuid, alias } = source
  const isOwn = !isOfOthers(source)
  const isStream = isOwn && source.connection !== null
  const isPublishedHere = isOwn && source.connection?.kind === 'published'
  const isControlled = may(source, 'control')

  const listModels = async () => {
    toggle('model')
    if (models.value.length === 0) models.value = await ask(api.GET('/models'))
  }
  const stop = (process_uuid: string) =>
    ask(api.DELETE('/process/{process_uuid}', { params: { path: { process_uuid } } }))
  const remove = async () => {
    await ask(api.DELETE('/source/{source_id}', { params: { path: { source_id: source_uuid } } }))
    // The button goes with the card.
    focusMain({ preventScroll: true })
  }
  const toggle = (what: 'model' | 'publish' | 'recordings') => (open.value = open.value === what ? undefined : what)

  return (
    <li class="card" data-source={source_uuid}>
      <div class="caption">
        <h2>{alias}</h2>
        <StateBadge state={stateOf(source, process)} />
        <span class="figures">{describe(source)}</span>
      </div>
      <SourceCondition source={source} process={process} />
      <div class="actions">
        {process ? (
          <>
            <a class="button" href={`#/live/${process.process_uuid}`}>
              Watch
            </a>
            {isControlled && (
              <button
                type="button"
                onClick={() =>
                  confirm(`Stop the process of ${alias}? It cannot go on afterwards.`) &&
                  void act(() => stop(process.process_uuid))
                }
              >
                Stop process
              </button>
            )}
          </>
        ) : isControlled ? (
          <>
            <StartProcess
              sourceId={source_uuid}
              choice={model.value ? choiceOf(model.value) : {}}
              isNow={mayStartNow(source)}
              action={action}
              onWarning={(sentence) => (warning.value = sentence)}
            />
            <button type="button" aria-expanded={open.value === 'model'} onClick={() => void act(listModels)}>
              Model: {model.value?.name ?? 'default'}
            </button>
          </>
        ) : null}
        {!isOwn && !process && source.webrtc_url && (
          <a class="button" href={source.webrtc_url}>
            Watch
          </a>
        )}
        {isPublishedHere && (
          <button type="button" aria-expanded={open.value === 'publish'} onClick={() => toggle('publish')}>
            Publish to it
          </button>
        )}
        {isStream && (
          <button type="button" aria-expanded={open.value === 'recordings'} onClick={() => toggle('recordings')}>
            Recordings
          </button>
        )}
        {isOwn && !process && (
          <button type="button" class="danger" onClick={() => confirm(`Remove ${alias}?`) && void act(remove)}>
            Remove
          </button>
        )}
      </div>
      <Notice sentence={problem.value || (process ? warning.value : '')} />
      {open.value === 'model' && !process && (
        <ModelChoice
          group={source_uuid}
          models={models.value}
          chosen={model.value}
          onChoose={(chosen) => (model.value = chosen)}
        />
      )}
      {open.value === 'publish' && <PublishAddress sourceId={source_uuid} />}
      {open.value === 'recordings' && <Recordings source={source} />}
    </li>
  )
}

/** How it goes with the source, in a sentence; calmly when that is not well. */
function SourceCondition({ source, process }: Pick<SourceCardProps, 'source' | 'process'>) {
  const { connection, problem } = source
  const words = connection ? connectionWords(connection) : ''
  const isWaiting = process?.state === 'waiting'
  // Of a camera that is lost the connection says more: since when, and when it was tried last.
  const trouble = connection?.state === 'lost' ? words : isWaiting ? '' : problem
  return (
    <>
      <Notice sentence={trouble ?? ''} kind="calm" />
      {!trouble && words && <p class="hint">{words}</p>}
      {isWaiting && <p class="hint">A process waits. {waitingWords(process)}</p>}
    </>
  )
}

function describe(source: SourceRecord & SeenSource): string {
  const { type, input_url, video, recording, telemetry_cfg, owner } = source
  const parts = [
    ...(isOfOthers(source) ? [`of ${owner ?? 'somebody else'}`] : []),
    ...(input_url ? [type === 'file' ? `file ${input_url}` : input_url] : []),
    ...(video ? [`${video.codec} ${video.width}×${video.height}, ${video.fps} fps`] : []),
    ...(recording === 'on' ? ['being recorded'] : []),
    ...(recording === 'stopped-disk-full' ? ['not recorded: there is no room on the disk for it'] : []),
    ...(telemetry_cfg ? ['with telemetry'] : []),
  ]
  return parts.join(' · ')
}
