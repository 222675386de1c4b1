/**
 * Video is processed for nothing by cutting it into many runs of less than a second each: every run was charged in whole
 * seconds of its own.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { start as startTool } from '../support/ffmpeg.ts'
import { clip, createProcessRig, type Info, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

const MAX_RUNS = 12

let rig: ProcessRig
beforeAll(async () => void (rig = await createProcessRig()))
afterAll(() => rig.remove())

async function consumedSeconds(key: string): Promise<number> {
  const info = await rig.ask<{ subscription: { consumed_minutes: number } }>('GET', '/user_info', { key })
  return Math.round(info.subscription.consumed_minutes * 60)
}

async function uploadCut(seconds: string, key: string): Promise<string> {
  const file = join(rig.folder, `cut-${seconds}.mp4`)
  await startTool('ffmpeg', ['-i', clip, '-t', seconds, '-c', 'copy', '-an', file]).finished
  return rig.upload(file, key)
}

test('runs of less than a second add up to what they took', { timeout: 180_000 }, async () => {
  const body = { username: 'mallory', minutes: 10 }
  const { key } = await rig.ask<{ key: string }>('POST', '/keys', { body })
  // Of two lengths, so that not every run can happen to take a whole number of seconds.
  const sourceIds = [await uploadCut('0.3', key), await uploadCut('0.6', key)]

  /** By the processes' own account, which shows whole seconds. */
  let wholeSeconds = 0
  let runs = 0
  for (; runs < MAX_RUNS && (await consumedSeconds(key)) <= wholeSeconds; runs++) {
    const { process_uuid: id } = await rig.start(sourceIds[runs % 2]!, {}, key)
    let info: Info | undefined
    await until(async () => {
      info = await rig.ask<Info>('GET', `/process/${id}`, { key })
      return info.state === 'finished'
    }, 20_000)
    wholeSeconds += info!.stats.consumed_seconds
  }
  const charged = await consumedSeconds(key)
  expect(charged).toBeGreaterThan(wholeSeconds)
  // No run is charged more than it took: what is added is less than a second for each.
  expect(charged).toBeLessThan(wholeSeconds + runs)
})
