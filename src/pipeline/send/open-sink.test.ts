import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { H264, idr } from '../../../test/builders/flv-tags.ts'
import { closedPort } from '../../../test/support/rtmp-receiver.ts'
import { createDeferred } from '../../core/deferred.ts'
import { type VideoTarget } from '../../core/video-output.ts'
import { OPERATOR_RULES } from '../../outbound/rules.ts'
import { createHubPackets } from './hub-packets.ts'
import { createSinkOpener } from './open-sink.ts'
import { type CodedPicture } from './sink.ts'

const nalUnits = [H264.sps, H264.pps, idr(1)]
const keyframe: CodedPicture = { data: Buffer.concat(nalUnits), nalUnits, ptsMs: 0, isKeyframe: true }

/** A file stands where a folder should be. */
function blockedFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'aerie-open-sink-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'a-file'), '')
  return join(root, 'a-file')
}

/** Each says in its own words that its target takes nothing. */
const targets: { readonly [Kind in VideoTarget['kind']]: readonly [target: (port: number) => VideoTarget, RegExp] } = {
  hub: [(port) => ({ kind: 'hub', path: 'ann/out', url: `rtsp://127.0.0.1:${port}/ann/out` }), /media server/],
  rtmp: [(port) => ({ kind: 'rtmp', url: `rtmp://127.0.0.1:${port}/app/name` }), /Nothing answers/],
  recording: [() => ({ kind: 'recording', folder: blockedFolder() }), /cannot be kept/],
}

test.each(Object.entries(targets))('a target of kind %s is sent to by its own sink', async (_kind, [target, said]) => {
  const waiting = createDeferred<string | null>()
  const openSink = createSinkOpener(OPERATOR_RULES)
  const sink = openSink(target(await closedPort()), createHubPackets(), (state, sentence) => {
    if (state === 'waiting') waiting.resolve(sentence)
  })
  sink.write(keyframe)
  expect(await waiting.promise).toMatch(said)
  await sink.close()
})

test('a path of the media server that was not granted is not sent to', () => {
  const openSink = createSinkOpener(OPERATOR_RULES)
  expect(() => openSink({ kind: 'hub', path: 'ann/out' }, createHubPackets(), () => {})).toThrow()
})
