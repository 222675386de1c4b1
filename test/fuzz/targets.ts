import { type FuzzTarget } from './target.ts'
import { backup } from './targets/backup.ts'
import { evidence } from './targets/evidence.ts'
import { feedback } from './targets/feedback.ts'
import { http } from './targets/http.ts'
import { detectionFiles } from './targets/looks.ts'
import { modelJson } from './targets/model-json.ts'
import { mqtt } from './targets/mqtt.ts'
import { offers } from './targets/offers.ts'
import { onnx } from './targets/onnx.ts'
import { pictures } from './targets/pictures.ts'
import { recordedFiles } from './targets/recorded-files.ts'
import { rtmpPlayer } from './targets/rtmp-player.ts'
import { rtmp } from './targets/rtmp.ts'
import { rtp } from './targets/rtp.ts'
import { rtspCamera } from './targets/rtsp-camera.ts'
import { rtspMessages } from './targets/rtsp-messages.ts'
import { rtsp } from './targets/rtsp.ts'
import { sdp } from './targets/sdp.ts'
import { stun } from './targets/stun.ts'
import { telemetry } from './targets/telemetry.ts'
import { tflite } from './targets/tflite.ts'
import { tunnels } from './targets/tunnels.ts'
import { uploads } from './targets/uploads.ts'
import { webrtc } from './targets/webrtc.ts'
import { websocket } from './targets/websocket.ts'

/** All that strangers reach. */
export const fuzzTargets: readonly FuzzTarget[] = [
  rtspMessages,
  rtsp,
  rtspCamera,
  rtmp,
  rtmpPlayer,
  rtp,
  sdp,
  stun,
  offers,
  feedback,
  webrtc,
  http,
  websocket,
  telemetry,
  mqtt,
  uploads,
  recordedFiles,
  pictures,
  modelJson,
  onnx,
  tflite,
  backup,
  evidence,
  detectionFiles,
  tunnels,
]
