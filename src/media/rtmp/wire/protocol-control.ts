import { acknowledgement, ACKNOWLEDGEMENT_WINDOW, userEvent, USER_EVENT } from './control-messages.ts'
import { MESSAGE, type RtmpMessage } from './message.ts'

/** The messages about the connection itself (RTMP 1.0 §5.4, §7.1.7): acknowledgements of what was received, and pings. */
export interface ProtocolControl {
  /** False for other messages, which are left to the caller. */
  handle(message: RtmpMessage): boolean
  countReceived(bytes: number): void
  /** Acknowledges what was received once the window is full. Some encoders stop sending until then (§5.4.3). */
  acknowledge(): void
}

export interface ProtocolControlOptions {
  readonly answers: { write(answer: Buffer): void }
  /** Called before a ping is answered; throws where there are too many. */
  readonly onPing?: () => void
  /** The other side limits what we send before it acknowledges something (§5.4.5). */
  readonly onPeerBandwidth?: () => void
}

export function createProtocolControl(options: ProtocolControlOptions): ProtocolControl {
  const { answers, onPing, onPeerBandwidth } = options
  let receivedBytes = 0
  let acknowledgedBytes = 0
  let windowBytes = ACKNOWLEDGEMENT_WINDOW

  function answerPing(payload: Buffer): void {
    if (payload.length < 6 || payload.readUInt16BE() !== USER_EVENT.pingRequest) return
    onPing?.()
    answers.write(userEvent(USER_EVENT.pingResponse, payload.readUInt32BE(2)))
  }

  return {
    handle({ typeId, payload }) {
      switch (typeId) {
        case MESSAGE.acknowledgement:
          return true
        case MESSAGE.setPeerBandwidth:
          onPeerBandwidth?.()
          return true
        case MESSAGE.windowAcknowledgementSize:
          if (payload.length >= 4) windowBytes = Math.max(1, payload.readUInt32BE())
          return true
        case MESSAGE.userControl:
          answerPing(payload)
          return true
        default:
          return false
      }
    },
    countReceived: (bytes) => void (receivedBytes += bytes),
    acknowledge() {
      if (receivedBytes - acknowledgedBytes < windowBytes) return
      acknowledgedBytes = receivedBytes
      answers.write(acknowledgement(receivedBytes))
    },
  }
}
