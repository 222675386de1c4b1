import { type Geolocation } from './geolocate/geolocation.ts'
import { type PipelineCommand } from './messages.ts'
import { type PauseSwitch } from './pause.ts'
import { type Preview } from './preview.ts'
import { type Rest } from './rest.ts'
import { type ScenePictures } from './scene-pictures.ts'
import { type HeldSinks } from './send/held-sinks.ts'
import { type SourceStatus } from './source-status.ts'
import { type TrackPictures } from './track-pictures.ts'
import { type VideoOut } from './video-out.ts'

/** Those parts of a pipeline that obey commands. */
export interface CommandedParts {
  readonly pause: Pick<PauseSwitch, 'set'>
  readonly rest: Pick<Rest, 'setCrowded'>
  readonly sinks: Pick<HeldSinks, 'setHeld'>
  readonly status: Pick<SourceStatus, 'retry'>
  readonly geolocation: Pick<Geolocation, 'addTelemetry'> | null
  readonly videoOut: Pick<VideoOut, 'attach' | 'detach' | 'setFeedWanted'>
  readonly preview: Pick<Preview, 'setTarget'>
  readonly scenePictures: Pick<ScenePictures, 'setWanted' | 'request'>
  readonly trackPictures: Pick<TrackPictures, 'forget'> | undefined
  readonly onPause: () => void
}

/** Gives each command to the part that it is for. */
export function createCommandHandler(parts: CommandedParts): (command: PipelineCommand) => void {
  const { pause, rest, sinks, status, geolocation, videoOut, preview, scenePictures, trackPictures, onPause } = parts
  return (command) => {
    switch (command.type) {
      case 'pause':
      case 'resume':
        pause.set(command.type === 'pause')
        return onPause()
      case 'crowded':
        return rest.setCrowded(command.isCrowded)
      case 'hold-outputs':
        return sinks.setHeld(command.areHeld)
      case 'retry':
        return status.retry()
      case 'telemetry':
        return geolocation?.addTelemetry(command.sample)
      case 'attach':
        return videoOut.attach(command.output)
      case 'detach':
        return void videoOut.detach(command.outputId)
      case 'feed':
        return videoOut.setFeedWanted(command.isWanted)
      case 'preview':
        return preview.setTarget(command.target)
      case 'scene-pictures':
        return scenePictures.setWanted(command.isWanted)
      case 'scene-picture':
        return scenePictures.request(command.trackId, command.takenAtMs)
      case 'forget-pictures':
        return trackPictures?.forget()
    }
  }
}
